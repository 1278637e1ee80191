import type { Tx } from '../../db/sql.js';
import { boardTables, quoted } from './tables.js';

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Takes the rules between tables away and answers how to put them back, all in
 * one transaction: rows come in table by table, and a decision names a message
 * that names the decision. Triggers would note the past as if it were news.
 * Only ownership is needed, no rights of a superuser.
 */
export async function liftRules(tx: Tx): Promise<() => Promise<void>> {
  const keys = await tx.query<ForeignKey>(
    `SELECT c.conrelid::regclass::text AS table, c.conname AS name,
       pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c
     WHERE c.contype = 'f' AND c.conparentid = 0
       AND c.connamespace = current_schema()::regnamespace
     ORDER BY c.oid`,
  );
  const tables = await boardTables(tx);
  for (const { table, name } of keys) {
    await tx.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
  }
  for (const { name } of tables) {
    await tx.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  }
  return async () => {
    for (const { name } of tables) {
      await tx.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    }
    // Adding a key checks every row: what does not fit ends the restore.
    for (const { table, name, definition } of keys) {
      await tx.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`,
      );
    }
  };
}
