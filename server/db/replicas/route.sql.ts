// By hand: hands on the statements of others.
import type { QueryResultRow } from 'pg';
import type { Database } from '../sql.js';
import type { Statement } from './replica.js';

/** Answers a statement, by a replica or the primary. */
type Ask = <Row extends QueryResultRow>(statement: Statement) => Promise<Row[]>;

/** A database whose single statements by hand go another way. All else stays. */
export function routed(primary: Database, ask: Ask): Database {
  return {
    ...primary,
    query: (text, values = []) => ask({ text, values }),
  };
}

/** A reader's statement, at the primary. */
export async function askPrimary<Row extends QueryResultRow>(
  primary: Database,
  { text, values }: Statement,
): Promise<Row[]> {
  return await primary.query<Row>(text, values);
}

/** The same database, which calls `committed` after each successful write. */
export function noting(writes: Database, committed: () => void): Database {
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    committed();
    return result;
  };
  return {
    ...writes,
    query: (text, values) => noted(writes.query(text, values)),
    transaction: (work, isShown) => noted(writes.transaction(work, isShown)),
  };
}
