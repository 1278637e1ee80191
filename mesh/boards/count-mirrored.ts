import type { Sql } from '../../server/db/sql.js';
import type { MirroredBoard } from './mirrored-board.js';

type Counted = { origin_id: number; found: number; newest: number };
type Known = { above: number; count: number };

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
    const ids = boards.flatMap(({ logs }) => logs.map((log) => log.originId));
    const counts = await count(ids);
    return new Map(
      boards.map(({ originId, logs }) => [
        originId,
        logs.reduce((sum, log) => sum + (counts.get(log.originId) ?? 0), 0),
      ]),
    );
  };
}

function logCounts(sql: Sql) {
  const known = new Map<number, Known>();
  return async (
    originIds: readonly number[],
  ): Promise<ReadonlyMap<number, number>> => {
    const before = originIds.map(
      (id) => known.get(id) ?? { above: 0, count: 0 },
    );
    const rows = await sql.query<Counted>(NEW, [
      originIds,
      before.map(({ above }) => above),
    ]);
    const grown = new Map(rows.map((row) => [row.origin_id, row]));
    return new Map(
      originIds.map((id, at) => {
        const { above, count } = before[at] ?? { above: 0, count: 0 };
        const { found = 0, newest = above } = grown.get(id) ?? {};
        const counted = { above: newest, count: count + found };
        // Another look may have seen more meanwhile.
        if (newest >= (known.get(id)?.above ?? 0)) known.set(id, counted);
        return [id, counted.count];
      }),
    );
  };
}
