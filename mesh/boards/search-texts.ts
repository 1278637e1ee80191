import type { QueryResultRow } from 'pg';
import type { Database } from '../../server/db/sql.js';
import { fold } from '../../server/search/fold.js';
import { gramsOf } from '../../server/search/grams.js';
import { FEW } from './planned.js';

/** A matching text: its place in this node's order, its log and its ID. */
export type Found = { seq: number; origin_id: number; id: number };

type Asked = {
  q: string;
  /** The mirrored logs that are searched. */
  logs: readonly number[];
  /** Exclusive upper place; null: from the newest. */
  before: number | null;
  /** How many are given at a time. */
  piece: number;
};

/** Messages looked through, newest first, before the index is asked. */
const NEWEST = 2000;
const TIME_MS = 1000;

const LITERAL =
  '(position($1 IN s.body_fold) > 0 OR position($1 IN s.title_fold) > 0)';

/**
 * Said of few logs for each table again, so that their plan touches no other;
 * said of many it would cost every row more than it spares.
 */
const again = (few: boolean) =>
  few ? 'origin_id = ANY ($3::int[])' : 'origin_id > 0';

/** $1 folded text, $2 exclusive upper seq, $3 logs: the newest, one by one. */
const recentTexts = (few: boolean) => `
  WITH newest AS MATERIALIZED (
    SELECT seq, origin_id, id FROM mirror_update
    WHERE seq < $2 AND origin_id = ANY ($3::int[])
    ORDER BY seq DESC LIMIT ${NEWEST}),
  matching AS MATERIALIZED (
    SELECT n.* FROM newest n CROSS JOIN LATERAL (
      SELECT FROM mirror_search s WHERE s.origin_id = n.origin_id
        AND s.message_id = n.id AND ${LITERAL} AND s.${again(few)} OFFSET 0) s)
  SELECT min(seq) AS until, count(*)::int AS looked,
    (SELECT coalesce(json_agg(m ORDER BY m.seq DESC), '[]')
     FROM matching m) AS found
  FROM newest`;

/** $4 grams, $5 limit: the index gives candidates. */
const olderTexts = (few: boolean) => `
  WITH matching AS MATERIALIZED (
    SELECT s.origin_id, s.message_id AS id FROM mirror_search s
    WHERE s.grams @> $4::integer[] AND s.origin_id = ANY ($3::int[])
      AND ${LITERAL})
  SELECT u.seq, m.origin_id, m.id FROM matching m CROSS JOIN LATERAL (
    SELECT seq FROM mirror_update u WHERE u.origin_id = m.origin_id
      AND u.id = m.id AND u.${again(few)} OFFSET 0) u
  WHERE u.seq < $2 ORDER BY u.seq DESC LIMIT $5`;

type Recent = { until: number | null; looked: number; found: Found[] };

/**
 * Texts that match, newest first. As the search of the board's own: the newest
 * are looked through, and only whoever wants more asks the index for older
 * ones. A statement that takes too long is a 503.
 */
export async function* foundTexts(
  db: Database,
  { q, logs, before, piece }: Asked,
): AsyncGenerator<readonly Found[], void> {
  if (logs.length === 0) return;
  const folded = fold(q);
  const few = logs.length <= FEW;
  const newest = before ?? Number.MAX_SAFE_INTEGER;
  const [recent] = await bounded<Recent>(db, few, recentTexts(few), [
    folded,
    newest,
    logs,
  ]);
  const { until = null, looked = 0, found = [] } = recent ?? {};
  for (let at = 0; at < found.length; at += piece) {
    yield found.slice(at, at + piece);
  }
  if (looked < NEWEST) return;
  const grams = gramsOf(folded);
  for (let below = until; below !== null; ) {
    const older = await bounded<Found>(db, few, olderTexts(few), [
      folded,
      below,
      logs,
      grams,
      piece,
    ]);
    if (older.length > 0) yield older;
    below = older.length < piece ? null : (older.at(-1)?.seq ?? null);
  }
}

/**
 * One statement over so many logs. A plan for a few logs is made for them; one
 * for many takes longer to make than to use, and is kept. That one shall not
 * depend on how large the logs were when it was made.
 */
async function bounded<Row extends QueryResultRow>(
  db: Database,
  few: boolean,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const plan = few ? 'force_custom_plan' : 'force_generic_plan';
  return await db.transaction(async (tx) => {
    await tx.query(
      `SELECT set_config('statement_timeout', $1, true),
         set_config('plan_cache_mode', $2, true),
         set_config('enable_seqscan', 'off', true)`,
      [String(TIME_MS), plan],
    );
    return await tx.query<Row>(text, values);
  });
}
