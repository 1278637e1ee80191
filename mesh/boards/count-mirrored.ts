import type { Sql } from '../../server/db/sql.js';
import type { MirroredBoard, MirroredLog } from './mirrored-board.js';

type Counted = { origin_id: number; found: number; newest: number };
/** `size` is that of the log when it was looked through. */
type Known = { above: number; count: number; size: number };

const NOTHING: Known = { above: 0, count: 0, size: 0 };

/**
 * Only what came since the last look is counted: a log only grows. An ID that
 * a former log of the board gave already is no further message; such logs grow
 * no more, and IDs above their last one need not be looked for.
 */
const NEW = `SELECT b.origin_id, c.found - again.found AS found, c.newest
  FROM unnest($1::int[], $2::bigint[]) AS b (origin_id, above)
    CROSS JOIN LATERAL (SELECT count(*)::int AS found, max(m.id) AS newest
      FROM mirror_message m WHERE m.origin_id = b.origin_id
        AND m.id > b.above AND m.status <> 'invalid') AS c
    CROSS JOIN LATERAL (SELECT count(DISTINCT m.id)::int AS found
      FROM log_state own
        JOIN log_state f ON f.board = own.board AND f.origin_id > 0
          AND f.origin_id < own.origin_id AND f.closed_at IS NULL
        JOIN mirror_message m ON m.origin_id = own.origin_id
          AND m.id > b.above AND m.id <= f.last_message_id
          AND m.status <> 'invalid'
        JOIN mirror_message o ON o.origin_id = f.origin_id AND o.id = m.id
          AND o.status <> 'invalid'
      WHERE own.origin_id = b.origin_id) AS again
  WHERE c.found > 0`;

/** How many posts of each mirrored board are readable, by its origin id. */
export function mirrorCounts(sql: Sql) {
  const count = logCounts(sql);
  return async (
    boards: readonly Pick<MirroredBoard, 'originId' | 'logs'>[],
  ): Promise<ReadonlyMap<number, number>> => {
    const counts = await count(boards.flatMap(({ logs }) => logs));
    return new Map(
      boards.map(({ originId, logs }) => [
        originId,
        logs.reduce((sum, log) => sum + (counts.get(log.originId) ?? 0), 0),
      ]),
    );
  };
}

/** Logs that are as long as they were need no look: posts come with entries. */
function logCounts(sql: Sql) {
  const known = new Map<number, Known>();
  const knownOf = (id: number) => known.get(id) ?? NOTHING;
  return async (
    logs: readonly MirroredLog[],
  ): Promise<ReadonlyMap<number, number>> => {
    const grown = logs
      .map(({ originId: id, size }) => ({ id, size, before: knownOf(id) }))
      .filter(({ size, before }) => size !== before.size);
    const rows = grown.length === 0 ? [] : await newOf(sql, grown);
    const found = new Map(rows.map((row) => [row.origin_id, row]));
    for (const { id, size, before } of grown) {
      const more = found.get(id) ?? { found: 0, newest: before.above };
      const count = before.count + more.found;
      // Another look may have seen more meanwhile.
      if (more.newest < knownOf(id).above) continue;
      known.set(id, { above: more.newest, count, size });
    }
    return new Map(
      logs.map(({ originId }) => [originId, knownOf(originId).count]),
    );
  };
}

function newOf(
  sql: Sql,
  logs: readonly { id: number; before: Known }[],
): Promise<Counted[]> {
  return sql.query<Counted>(NEW, [
    logs.map(({ id }) => id),
    logs.map(({ before }) => before.above),
  ]);
}
