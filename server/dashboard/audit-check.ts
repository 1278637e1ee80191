import type { Database, Sql } from '../db/sql.js';
import { type AuditRow, auditHash, NO_ROW } from './audit.js';

const PAGE = 1000;

export const AUDIT_COLUMNS = `id, at, operator_id, operator, session_id, action,
  subject, before, after, previous, hash`;

export type AuditCheck = {
  ok: boolean;
  /** How many rows were read until the end, or until the first bad one. */
  rows: number;
  /** Hash of the last good row, hex: note it down, and compare it later. */
  head: string;
  /** The first row that is not as it was written. */
  broken: { id: number; problem: string } | null;
};

/** Every row, oldest first, read a page at a time. */
export async function* auditRows(sql: Sql): AsyncGenerator<AuditRow> {
  let after = 0;
  for (;;) {
    const page = await sql.query<AuditRow>(
      `SELECT ${AUDIT_COLUMNS} FROM operator_audit
       WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
      [after],
    );
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

/** How many rows were ever written: the counter that gave their ids. */
async function auditLength(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ last_id: number }>(
    "SELECT last_id FROM id_counter WHERE name = 'operator_audit'",
  );
  return row?.last_id ?? 0;
}

/**
 * Reads the whole trail and says which row was changed, taken out or put in
 * behind the board's back (spec/operators.md §R5 G5). A trail that was written
 * anew from some row on has another head than the one noted down before.
 */
export async function checkAudit(db: Database): Promise<AuditCheck> {
  const length = await auditLength(db);
  let head = NO_ROW;
  let rows = 0;
  const broken = (id: number, problem: string): AuditCheck => ({
    ok: false,
    rows,
    head: head.toString('hex'),
    broken: { id, problem },
  });
  for await (const row of auditRows(db)) {
    if (row.id > length && row.id > (await auditLength(db))) {
      return broken(row.id, 'it was put in: its number was never given out');
    }
    if (row.id !== rows + 1) {
      return broken(rows + 1, 'it is missing');
    }
    if (!row.previous.equals(head)) {
      return broken(row.id, 'it does not go on from the row before it');
    }
    if (!row.hash.equals(auditHash(row))) {
      return broken(row.id, 'it was changed after it was written');
    }
    head = row.hash;
    rows += 1;
  }
  if (rows < length) return broken(rows + 1, 'it is missing');
  return { ok: true, rows, head: head.toString('hex'), broken: null };
}
