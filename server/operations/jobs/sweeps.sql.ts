// By hand: each batch is chosen, deleted and counted in one statement.
import { DAY_MS, utcDay } from '../../clock.js';
import type { Sql } from '../../db/sql.js';
import type { Limits } from '../../limits.js';

const HOUR_MS = 3_600_000;

type Bounds = ReturnType<typeof boundsOf>;

export function boundsOf(limits: Limits, now: number) {
  const recovery = limits.ticket_recovery_hours * HOUR_MS;
  return {
    now,
    tickets: now - recovery,
    locks: now - recovery - limits.ticket_seconds * 1000,
    spends: now - 25 * HOUR_MS,
    heads: now - 49 * HOUR_MS,
    sessionDay: utcDay(now - DAY_MS),
    today: utcDay(now),
    errorDay: utcDay(now - 400 * DAY_MS),
    relays: now - 7 * DAY_MS,
    // spec/operators.md §1.2 and §1.3
    attempts: now - HOUR_MS / 4,
    idleSessions: now - 12 * HOUR_MS,
    bulks: now - 30 * DAY_MS,
    reporters: now - 7 * DAY_MS,
  };
}

/** `batch` deletes at most `size` rows. */
type Sweep = {
  kind: string;
  size: number;
  batch: (sql: Sql, bounds: Bounds) => Promise<number>;
};

const SIZE = 1000;

/** `:name` stands for a bound. */
function sweep(kind: string, gone: string, also = ''): Sweep {
  const names: (keyof Bounds)[] = [];
  const deleted = gone.replace(/:(\w+)/g, (_, name: keyof Bounds) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const text = `WITH gone AS (${deleted}) ${also}
    SELECT count(*) AS rows FROM gone`;
  return {
    kind,
    size: SIZE,
    batch: async (sql, bounds) => {
      const values = names.map((name) => bounds[name]);
      const [row] = await sql.query<{ rows: number }>(text, values);
      return row?.rows ?? 0;
    },
  };
}

/** Table, key, and which rows are gone. */
const ROWS: Readonly<Record<string, readonly [string, string, string]>> = {
  challenge_locks: [
    'challenge_lock',
    'scope',
    `(at < :locks OR expires_at <= :now)
      AND (locked_until IS NULL OR locked_until <= :now) ORDER BY at`,
  ],
  // Heads without a spend in any window; nothing asks for erased keys.
  budget_heads: ['budget_head', 'scope, key', 'at < :heads ORDER BY at'],
  visitors: [
    'reader_event',
    'day, visitor, event',
    'day < :today ORDER BY day',
  ],
  // Published ones are receipts (spec/board.md §5.3).
  failed_relays: [
    'relay_outbox',
    'request_id',
    "state = 'failed' AND updated_at < :relays ORDER BY updated_at",
  ],
  request_errors: [
    'request_error_day',
    'day, operation, code',
    'day < :errorDay ORDER BY day',
  ],
  operator_attempts: ['operator_attempt', 'id', 'at <= :attempts ORDER BY at'],
  operator_attempt_counts: [
    'operator_attempt_count',
    'network, quarter',
    'quarter <= :attempts',
  ],
  operator_devices: ['operator_device', 'token_hash', 'expires_at <= :now'],
  operator_sessions: [
    'operator_session',
    'id',
    'expires_at <= :now OR seen_at <= :idleSessions',
  ],
  operator_links: ['operator_invite', 'code_hash', 'expires_at <= :now'],
  operator_challenges: ['operator_challenge', 'hash', 'expires_at <= :now'],
  bulk_items: [
    'bulk_item',
    'bulk_id, n',
    'bulk_id IN (SELECT id FROM bulk WHERE created_at < :bulks)',
  ],
  bulks: [
    'bulk',
    'id',
    `created_at < :bulks AND NOT EXISTS
      (SELECT FROM bulk_item i WHERE i.bulk_id = bulk.id)`,
  ],
};

/** SKIP LOCKED: never waits for a request, and renewed rows stay. */
const rowSweeps = Object.entries(ROWS).map(([kind, [table, key, which]]) =>
  sweep(
    kind,
    `DELETE FROM ${table} WHERE (${key}) IN (
       SELECT ${key} FROM ${table} WHERE ${which}
       LIMIT ${SIZE} FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
  ),
);

/** Bits: `stats/record-requests.ts`. */
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
  ...rowSweeps,
  sweep(
    'tickets',
    `DELETE FROM ticket WHERE ticket_hash IN (
       SELECT ticket_hash FROM ticket WHERE expires_at < :tickets
       ORDER BY expires_at LIMIT ${SIZE})
     RETURNING 1`,
  ),
  sweep(
    'budget_spends',
    `DELETE FROM budget_spend WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM budget_spend WHERE at < :spends
       ORDER BY at LIMIT ${SIZE}))
     RETURNING 1`,
  ),
  sweep(
    'sessions',
    `DELETE FROM session_day WHERE (day, network) IN (
       SELECT day, network FROM session_day WHERE day < :sessionDay
       ORDER BY day, network LIMIT ${SIZE})
     RETURNING day, flags`,
    `, totals AS (${TOTALS})`,
  ),
  // Of settled reports, 7 days after the last decision (operators.md §6.4).
  sweep(
    'reporters',
    `UPDATE report SET reporter = NULL WHERE request_id IN (
       SELECT request_id FROM report p WHERE reporter IS NOT NULL
         AND status IN ('resolved', 'dismissed') AND status_at < :reporters
         AND NOT EXISTS (SELECT FROM decision d
           WHERE d.message_id = p.message_id AND d.decided_at >= :reporters)
       ORDER BY status_at LIMIT ${SIZE} FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
  ),
];

/** Oldest unpublished first, until `excess` bytes are gone. */
export async function deleteDrafts(
  sql: Sql,
  now: number,
  excess: number,
): Promise<{ rows: number; bytes: number }> {
  const [row] = await sql.query<{ rows: number; bytes: number }>(
    `WITH oldest AS (
       SELECT ticket_hash, expires_at, pg_column_size(draft) AS bytes
       FROM ticket WHERE used_at IS NULL AND expires_at <= $1
       ORDER BY expires_at LIMIT ${SIZE}
     ), due AS (
       SELECT ticket_hash, sum(bytes) OVER (
         ORDER BY expires_at, ticket_hash) - bytes AS older FROM oldest
     ), gone AS (
       DELETE FROM ticket WHERE used_at IS NULL AND ticket_hash IN (
         SELECT ticket_hash FROM due WHERE older < $2)
       RETURNING pg_column_size(draft) AS bytes)
     SELECT count(*) AS rows, coalesce(sum(bytes), 0)::bigint AS bytes
     FROM gone`,
    [now, excess],
  );
  return row ?? { rows: 0, bytes: 0 };
}
