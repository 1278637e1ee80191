// By hand (R4): texts by index over partitions, then their messages.

import type { QueryResultRow } from 'pg';
import { fold } from '../../protocol/fold.js';
import { setLocal } from '../../server/db/connection.sql.js';
import type { Database } from '../../server/db/sql.js';
import { bareColumns } from '../../server/reading/index.js';
import { gramsOf } from '../../server/search/index.js';
import { FEW, type MergedRow, planned } from './merged-page.sql.js';
import { mirroredColumns, mirrorsOfLogs } from './mirror-source.sql.js';
import type { MirroredBoard } from './mirrored-board.js';

type Searched = Pick<MirroredBoard, 'logs' | 'follow'>;

/** Title null where the topic is not shown. */
export type FoundRow = MergedRow & { root_title: string | null };

type MergedSearch = {
  q: string;
  boards: readonly Searched[];
  /** Exclusive place in this node's order; null: from the newest. */
  before: number | null;
  limit: number;
};

/** Pairs logs of a board with several. */
const generations = (n: number) => `, generation AS MATERIALIZED (
    SELECT own.origin_id, l.origin_id AS other
    FROM log_state own JOIN log_state l ON l.board = own.board
      AND l.origin_id <> own.origin_id
    WHERE own.origin_id = ANY ($${n}::int[])
      AND l.origin_id = ANY ($${n}::int[]))`;

const IN_ANOTHER = `, (SELECT o.visibility FROM generation g
      JOIN message o ON o.origin_id = g.other AND o.id = m.root_id
    WHERE g.origin_id = m.origin_id ORDER BY g.other DESC LIMIT 1)`;

/**
 * Not removed or hidden here, and not in a hidden topic, which may be in
 * another generation's log. $1 to $3 places, logs and IDs, $4, $5 as in
 * `mirrorsOfLogs`.
 */
const shown = (several: boolean) => `
  WITH ${mirrorsOfLogs(4, several)}${several ? generations(4) : ''}
  SELECT s.seq, r.title AS root_title, ${bareColumns('m')}
    ${mirroredColumns('m')}
  FROM unnest($1::bigint[], $2::int[], $3::bigint[]) AS s (seq, origin_id, id)
    JOIN message m ON m.origin_id = s.origin_id AND m.id = s.id
    LEFT JOIN message r ON r.origin_id = m.origin_id AND r.id = m.root_id
  WHERE m.removed_at IS NULL
    AND coalesce(r.visibility${several ? IN_ANOTHER : ''})
      IS DISTINCT FROM 'hidden_by_decision'
  ORDER BY s.seq DESC`;

/**
 * Newest first: texts in all logs, then their messages. 503 when it takes too
 * long.
 */
export async function searchMirrors(
  db: Database,
  { q, boards, before, limit }: MergedSearch,
): Promise<FoundRow[]> {
  const boardOf = new Map(
    boards.flatMap((board) =>
      board.logs.map(({ originId }): [number, Searched] => [originId, board]),
    ),
  );
  const rows: FoundRow[] = [];
  const logs = [...boardOf.keys()];
  for await (const found of foundTexts(db, q, logs, before, limit)) {
    rows.push(...(await messagesOf(db, found, boardOf)));
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}

async function messagesOf(
  db: Database,
  found: readonly Found[],
  boardOf: ReadonlyMap<number, Searched>,
): Promise<FoundRow[]> {
  const boards = new Set(
    found.flatMap(({ origin_id }) => boardOf.get(origin_id) ?? []),
  );
  const logsOf = (some: readonly Searched[]) =>
    some.flatMap(({ logs }) => logs.map(({ originId }) => originId));
  const all = [...boards];
  const several = all.some(({ logs }) => logs.length > 1);
  return await planned<FoundRow>(db, shown(several), [
    found.map(({ seq }) => seq),
    found.map(({ origin_id }) => origin_id),
    found.map(({ id }) => id),
    logsOf(all),
    logsOf(all.filter(({ follow }) => follow)),
  ]);
}

/** Place in this node's order, log and ID. */
type Found = { seq: number; origin_id: number; id: number };

/** Scanned, newest first, before the index is used. */
const NEWEST = 2000;
const TIME_MS = 1000;

const LITERAL =
  '(position($1 IN s.body_fold) > 0 OR position($1 IN s.title_fold) > 0)';

/**
 * Repeated per table for few logs, so that only their partitions are read; for
 * many it costs each row more.
 */
const again = (few: boolean) =>
  few ? 'origin_id = ANY ($3::int[])' : 'origin_id > 0';

/** $1 folded text, $2 exclusive upper seq, $3 logs: scans the newest. */
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

/** $4 grams, $5 limit: candidates by index. */
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
 * Newest first, `piece` at a time, below place `before`. Like the own search:
 * scans the newest, then uses the index. 503 when it takes too long.
 */
async function* foundTexts(
  db: Database,
  q: string,
  logs: readonly number[],
  before: number | null,
  piece: number,
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
 * Few logs get a plan of their own; many share a kept one, which must not
 * depend on the logs' sizes.
 */
async function bounded<Row extends QueryResultRow>(
  db: Database,
  few: boolean,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return await db.transaction(async (tx) => {
    await setLocal(tx, {
      statement_timeout: `${TIME_MS}`,
      plan_cache_mode: few ? 'force_custom_plan' : 'force_generic_plan',
      enable_seqscan: 'off',
    });
    return await tx.query<Row>(text, values);
  });
}
