import type { Client } from 'pg';

/** What the board connects as, and to. */
export const BOARD = 'board';
const CREATION = 7_305_218_115;

/**
 * Makes the role and the database where missing. The role is no superuser:
 * the board must run on managed PostgreSQL too, and what an attacker could
 * inject must not reach the files of the server.
 */
export async function ensureBoardDatabase(client: Client): Promise<void> {
  if (await exists(client)) return;
  await client.query('select pg_advisory_lock($1)', [CREATION]);
  try {
    await create(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [CREATION]);
  }
}

async function create(client: Client): Promise<void> {
  await client.query(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${BOARD}') then
        create role ${BOARD} login createdb;
        grant pg_monitor to ${BOARD};
      end if;
    end $$`);
  if (await exists(client)) return;
  await client.query(
    `create database ${BOARD} owner ${BOARD} template template0 encoding 'UTF8'`,
  );
}

async function exists(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from pg_database where datname = $1)
        and exists (select from pg_roles where rolname = $1) as found`,
    [BOARD],
  );
  return rows[0]?.found === true;
}
