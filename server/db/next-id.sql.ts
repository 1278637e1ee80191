// By hand: the query builder cannot count up in an upsert.
import { only, type Tx } from './sql.js';

/** The kinds of rows whose ids no reader follows by cursor. */
export type CountedRow =
  | 'decision'
  | 'selection'
  | 'operator_audit'
  | 'usefulness_report'
  | 'log_origin';

/**
 * The first of `count`, from 1. Locks the counter until the transaction ends; no
 * gaps.
 */
export async function nextId(
  tx: Tx,
  kind: CountedRow,
  count = 1,
): Promise<number> {
  const rows = await tx.query<{ last_id: number }>(
    `INSERT INTO id_counter AS c (name, last_id) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET last_id = c.last_id + $2
     RETURNING last_id`,
    [kind, count],
  );
  return only(rows).last_id - count + 1;
}
