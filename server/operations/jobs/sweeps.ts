import type { Sql } from '../../db/sql.js';

/** Times before which a kind of row is of no use any more, in ms. */
export type Bounds = {
  now: number;
  tickets: number;
  locks: number;
  spends: number;
  heads: number;
  /** Days before these, not the days themselves. */
  sessionDay: string;
  visitorDay: string;
  errorDay: string;
  relays: number;
  /** Of operators (spec/operators.md §1.2 and §1.3). */
  attempts: number;
  idleSessions: number;
};

/** One kind of row that passes; `batch` deletes at most `size` of them. */
type Sweep = {
  kind: string;
  size: number;
  batch: (sql: Sql, bounds: Bounds) => Promise<number>;
};

const SIZE = 1000;

/**
 * A statement that deletes one batch and counts it. Rows that can still change
 * are taken with SKIP LOCKED: the sweeper never waits for a request, and what
 * a request has just renewed stays.
 */
function sweep(
  kind: string,
  gone: string,
  values: (bounds: Bounds) => unknown[],
  also = '',
): Sweep {
  const text = `WITH gone AS (${gone}) ${also}
    SELECT count(*) AS rows FROM gone`;
  return {
    kind,
    size: SIZE,
    batch: async (sql, bounds) => {
      const [row] = await sql.query<{ rows: number }>(text, values(bounds));
      return row?.rows ?? 0;
    },
  };
}

/** Deletes a batch of rows that can still change, in the order of `which`. */
function batchOf(table: string, key: string, which: string): string {
  return `DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} WHERE ${which}
      LIMIT ${SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING 1`;
}

/** Of a day whose key is erased only numbers stay (bits: telemetry/flags). */
const TOTALS = `
  INSERT INTO session_total AS t (day, readers, agents, writers, networks,
    affected)
  SELECT day, count(*) FILTER (WHERE flags & 1 <> 0),
    count(*) FILTER (WHERE flags & 10 = 2),
    count(*) FILTER (WHERE flags & 4 <> 0),
    count(*) FILTER (WHERE flags & 23 <> 0),
    count(*) FILTER (WHERE flags & 16 <> 0)
  FROM gone GROUP BY day
  ON CONFLICT (day) DO UPDATE SET readers = t.readers + excluded.readers,
    agents = t.agents + excluded.agents,
    writers = t.writers + excluded.writers,
    networks = t.networks + excluded.networks,
    affected = t.affected + excluded.affected`;

export const SWEEPS: readonly Sweep[] = [
  sweep(
    'tickets',
    `DELETE FROM ticket WHERE ticket_hash IN (
       SELECT ticket_hash FROM ticket WHERE expires_at < $1
       ORDER BY expires_at LIMIT ${SIZE})
     RETURNING 1`,
    ({ tickets }) => [tickets],
  ),
  sweep(
    'challenge_locks',
    batchOf(
      'challenge_lock',
      'scope',
      'at < $1 AND (locked_until IS NULL OR locked_until <= $2) ORDER BY at',
    ),
    ({ locks, now }) => [locks, now],
  ),
  sweep(
    'budget_spends',
    `DELETE FROM budget_spend WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM budget_spend WHERE at < $1
       ORDER BY at LIMIT ${SIZE}))
     RETURNING 1`,
    ({ spends }) => [spends],
  ),
  // A head without a spend in any window is as good as none; those of
  // networks are named by keys that are erased, and nothing asks for them.
  sweep(
    'budget_heads',
    batchOf('budget_head', 'scope, key', 'at < $1 ORDER BY at'),
    ({ heads }) => [heads],
  ),
  sweep(
    'sessions',
    `DELETE FROM session_day WHERE (day, network) IN (
       SELECT day, network FROM session_day WHERE day < $1
       ORDER BY day, network LIMIT ${SIZE})
     RETURNING day, flags`,
    ({ sessionDay }) => [sessionDay],
    `, totals AS (${TOTALS})`,
  ),
  sweep(
    'visitors',
    `DELETE FROM reader_event WHERE (day, visitor, event) IN (
       SELECT day, visitor, event FROM reader_event WHERE day < $1
       ORDER BY day LIMIT ${SIZE})
     RETURNING 1`,
    ({ visitorDay }) => [visitorDay],
  ),
  // Published ones stay: they are receipts (spec/board.md §5.3).
  sweep(
    'failed_relays',
    batchOf(
      'relay_outbox',
      'request_id',
      "state = 'failed' AND updated_at < $1 ORDER BY updated_at",
    ),
    ({ relays }) => [relays],
  ),
  sweep(
    'request_errors',
    `DELETE FROM request_error_day WHERE (day, operation, code) IN (
       SELECT day, operation, code FROM request_error_day WHERE day < $1
       ORDER BY day LIMIT ${SIZE})
     RETURNING 1`,
    ({ errorDay }) => [errorDay],
  ),
  sweep(
    'operator_attempts',
    batchOf('operator_attempt', 'id', 'at <= $1 ORDER BY at'),
    ({ attempts }) => [attempts],
  ),
  sweep(
    'operator_sessions',
    batchOf('operator_session', 'id', 'expires_at <= $1 OR seen_at <= $2'),
    ({ now, idleSessions }) => [now, idleSessions],
  ),
  sweep(
    'operator_links',
    batchOf('operator_invite', 'code_hash', 'expires_at <= $1'),
    ({ now }) => [now],
  ),
  sweep(
    'operator_challenges',
    batchOf('operator_challenge', 'hash', 'expires_at <= $1'),
    ({ now }) => [now],
  ),
];
