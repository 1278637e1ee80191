import { publicTime } from '../../clock.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { type Actor, recordAudit } from '../audit.js';
import type { Role } from '../roles.js';
import { endSessions } from '../session-store.js';

export type State = 'active' | 'disabled';

export type Account = {
  id: string;
  name: string;
  alias: string;
  role: Role;
  state: State;
  created_at: string;
};

export type ListedAccount = Account & {
  credentials: { passkeys: number; passphrase: boolean };
  sessions: number;
  /** Of the devices that are signed in. */
  last_seen_at: string | null;
};

type Row = Omit<Account, 'created_at'> & { created_at: number };
type ListedRow = Row & {
  passkeys: number;
  passphrase: boolean;
  sessions: number;
  last_seen_at: number | null;
};

function view({ id, name, alias, role, state, created_at }: Row): Account {
  return { id, name, alias, role, state, created_at: publicTime(created_at) };
}

/** Every account by name, with what it holds open. */
export async function listAccounts(
  sql: Sql,
  now: number,
): Promise<ListedAccount[]> {
  const rows = await sql.query<ListedRow>(
    `SELECT o.id, o.name, o.alias, o.role, o.state, o.created_at,
       (SELECT count(*) FROM operator_passkey p
         WHERE p.operator_id = o.id) AS passkeys,
       EXISTS (SELECT FROM operator_passphrase p
         WHERE p.operator_id = o.id) AS passphrase,
       count(s.id) AS sessions, max(s.seen_at) AS last_seen_at
     FROM operator o LEFT JOIN operator_session s
       ON s.operator_id = o.id AND s.expires_at > $1
     GROUP BY o.id ORDER BY o.name`,
    [now],
  );
  return rows.map((row) => ({
    ...view(row),
    credentials: { passkeys: row.passkeys, passphrase: row.passphrase },
    sessions: row.sessions,
    last_seen_at:
      row.last_seen_at === null ? null : publicTime(row.last_seen_at),
  }));
}

export type Change = { role: Role } | { state: State };

type Order = {
  /** Or the name, for the command line. */
  id: string | null;
  action: string;
  to: Change;
  by: Actor;
  now: number;
};

/**
 * Changes the role or the state of an account and ends its sessions where it
 * loses something. Null for an unknown one.
 *
 * @throws BoardError `forbidden` where no admin would be left: nobody could
 * undo it but from the machine itself
 */
export async function changeAccount(
  tx: Tx,
  { id, action, to, by, now }: Order,
): Promise<Account | null> {
  // All rows, in one order: two admins may disable each other at once.
  const all = await tx.query<Row>(
    `SELECT id, name, alias, role, state, created_at FROM operator
     ORDER BY id FOR UPDATE`,
  );
  const before = all.find((row) => row.id === id || row.name === id);
  if (before === undefined) return null;
  const after: Row = { ...before, ...to };
  const left = all
    .map((row) => (row === before ? after : row))
    .some(({ role, state }) => role === 'admin' && state === 'active');
  if (!left && by.operatorId !== null) {
    throw new BoardError(
      'forbidden',
      'No admin would be left; make another operator an admin first.',
    );
  }
  await tx.query('UPDATE operator SET role = $2, state = $3 WHERE id = $1', [
    before.id,
    after.role,
    after.state,
  ]);
  if (after.state === 'disabled') await endSessions(tx, before.id);
  const deed = {
    action,
    subject: `operator:${before.name}`,
    before: { role: before.role, state: before.state },
    after: { role: after.role, state: after.state },
  };
  await recordAudit(tx, by, deed, now);
  return view(after);
}
