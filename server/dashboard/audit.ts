import { createHash } from 'node:crypto';
import { nextId } from '../db/next-id.js';
import type { Tx } from '../db/sql.js';
import type { SignedIn } from './session.js';

/** Who did something; without a session it was the command line. */
export type Actor = {
  operatorId: string | null;
  operator: string;
  sessionId: string | null;
};

/** One thing that was done; no passphrase, code, token or secret goes in. */
export type Deed = {
  /** A name of the table of actions, or of a command. */
  action: string;
  /** On what, such as `operator:anna` or `message:12`. */
  subject: string;
  before?: object | null;
  after?: object | null;
};

export type AuditRow = {
  id: number;
  at: number;
  operator_id: string | null;
  operator: string;
  session_id: string | null;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
  previous: Buffer;
  hash: Buffer;
};

/** What the first row's hash goes on from. */
export const NO_ROW: Buffer = Buffer.alloc(32);

export function actorOf(operator: SignedIn): Actor {
  const { operatorId, name, sessionId } = operator;
  return { operatorId, operator: name, sessionId };
}

/** SHA-256 of the hash before and of the row's members as a JSON array. */
export function auditHash(row: Omit<AuditRow, 'hash'>): Buffer {
  const { id, at, operator_id, operator, session_id, action, subject } = row;
  const members = [
    ...[id, at, operator_id, operator, session_id, action, subject],
    ...[row.before, row.after],
  ];
  return createHash('sha256')
    .update(row.previous)
    .update(JSON.stringify(members), 'utf8')
    .digest();
}

/**
 * Writes what an operator does into the trail, in the transaction that does it
 * (spec/operators.md §1.6). The counter's row keeps the trail in one order to
 * the end of the transaction, so this comes last in it.
 */
export async function recordAudit(
  tx: Tx,
  actor: Actor,
  deed: Deed,
  at: number,
): Promise<void> {
  const id = await nextId(tx, 'operator_audit');
  const [last] = await tx.query<{ hash: Buffer }>(
    'SELECT hash FROM operator_audit WHERE id = $1',
    [id - 1],
  );
  const row = {
    id,
    at,
    operator_id: actor.operatorId,
    operator: actor.operator,
    session_id: actor.sessionId,
    action: deed.action,
    subject: deed.subject,
    before: deed.before ? JSON.stringify(deed.before) : null,
    after: deed.after ? JSON.stringify(deed.after) : null,
    previous: last?.hash ?? NO_ROW,
  };
  await tx.query(
    `INSERT INTO operator_audit (id, at, operator_id, operator, session_id,
       action, subject, before, after, previous, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[row.id, row.at, row.operator_id, row.operator, row.session_id],
      ...[row.action, row.subject, row.before, row.after, row.previous],
      auditHash(row),
    ],
  );
}
