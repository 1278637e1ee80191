// By hand: TypeORM has no advisory locks.
import type { Tx } from './sql.js';

/**
 * Makes transactions of one name run one after the other, in all processes on a
 * database. It comes before the rows that they read or lock.
 */
export async function lockNamed(tx: Tx, name: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [name]);
}
