// By hand: hands on the statements of others.
import type { QueryResultRow } from 'pg';
import type { Database } from '../sql.js';
import type { Statement } from './replica.js';

/** Rows of a replica; null where the primary has to be asked. */
type AskReplica = <Row extends QueryResultRow>(
  statement: Statement,
) => Promise<Row[] | null>;

/**
 * A database whose single statements by hand may be answered by a replica. All
 * else is the primary's.
 *
 * @param byPrimary called for each that the primary answers instead.
 */
export function routed(
  primary: Database,
  ask: AskReplica,
  byPrimary: () => void,
): Database {
  return {
    ...primary,
    query: async <Row extends QueryResultRow>(
      text: string,
      values: readonly unknown[] = [],
    ) => {
      const rows = await ask<Row>({ text, values });
      if (rows !== null) return rows;
      byPrimary();
      return await primary.query<Row>(text, values);
    },
  };
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
    transaction: (work) => noted(writes.transaction(work)),
  };
}
