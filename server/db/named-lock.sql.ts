// By hand: TypeORM has no advisory locks.
import type { Tx } from './sql.js';

/** Call it before the transaction reads or locks rows. */
export async function lockNamed(tx: Tx, name: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [name]);
}
