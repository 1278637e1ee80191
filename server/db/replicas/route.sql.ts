// By hand: passes on statements of others.
import type { QueryResultRow } from 'pg';
import type { Database } from '../sql.js';
import type { Statement } from './replica.js';

type Ask = <Row extends QueryResultRow>(statement: Statement) => Promise<Row[]>;

/** Reroutes single statements by hand only. */
export function routed(primary: Database, ask: Ask): Database {
  return {
    ...primary,
    query: (text, values = []) => ask({ text, values }),
  };
}

export async function askPrimary<Row extends QueryResultRow>(
  primary: Database,
  { text, values }: Statement,
): Promise<Row[]> {
  return await primary.query<Row>(text, values);
}

/** Calls `committed` after each successful write. */
export function noting(writes: Database, committed: () => void): Database {
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    committed();
    return result;
  };
  return {
    ...writes,
    query: (text, values) => noted(writes.query(text, values)),
    transaction: (...asked) => noted(writes.transaction(...asked)),
  };
}
