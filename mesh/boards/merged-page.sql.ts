// By hand: partitions of many logs, planned for these values.
import type { Sql } from '../../server/db/sql.js';
import { referenceCandidates } from '../../server/http/urls.js';
import {
  messageColumns,
  type ViewOptions,
} from '../../server/reading/index.js';
import {
  type MirroredRow,
  mirroredColumns,
  mirrorsOfLogs,
} from './mirror-source.sql.js';
import type { MirroredBoard } from './mirrored-board.js';

/** With its place in this node's order. */
export type MergedRow = MirroredRow & { seq: number };

/** A bound that the planner sees, unlike a parameter; it cuts no page. */
const LARGEST_PAGE = 1000;

/** References stay within a board. */
const SAME_BOARD = 'r.origin_id = m.origin_id';

/**
 * $1 exclusive seq, $2 inclusive one, $3, $4 as in `mirrorsOfLogs`, $5 limit,
 * $6 preview. Unreadable messages take no place, so only the last page is
 * short. The upper bound comes last: otherwise a generic plan expects few rows.
 */
const within = (referencesMax: number, several: boolean) => `
  WITH ${mirrorsOfLogs(3, several)},
  page AS MATERIALIZED (
    SELECT u.seq, u.origin_id, u.id FROM mirror_update u
    JOIN message r ON r.origin_id = u.origin_id AND r.id = u.id
    WHERE u.seq > $1 AND u.origin_id = ANY ($3::int[])
    ORDER BY u.seq LIMIT least($5, ${LARGEST_PAGE}))
  SELECT page.seq,
    ${messageColumns('m', ['$6::int'], referencesMax, SAME_BOARD)}
    ${mirroredColumns('m')}
  FROM page JOIN message m ON m.origin_id = page.origin_id AND m.id = page.id
  WHERE page.seq <= $2::bigint ORDER BY page.seq`;

/** In this node's order, ascending. */
export async function mergedPage(
  db: Sql,
  since: number,
  limit: number,
  { preview, referencesMax }: ViewOptions,
): Promise<MergedRow[]> {
  const rows: MergedRow[] = [];
  for (let after = since, more = true; more && rows.length < limit; ) {
    const next = await nextStretches(db, after, limit);
    if (next === null) break;
    const left = limit - rows.length;
    const text = within(referencesMax, next.several);
    const { until, logs, followed } = next;
    const values = [after, until, logs, followed, left, preview];
    const found =
      next.known <= FEW
        ? await db.query<MergedRow>(text, values)
        : await planned<MergedRow>(db, text, values);
    rows.push(...found);
    ({ until: after, more } = next);
  }
  return rows;
}

/** A piece of this node's order. */
type Stretches = {
  /** Its last seq. */
  until: number;
  /** More existed by then. */
  more: boolean;
  /** Readable logs with messages there, and others of their boards. */
  logs: number[];
  /** Those whose origins' hiding counts. */
  followed: number[];
  several: boolean;
  /** Logs of this node. */
  known: number;
};

/**
 * $1 exclusive seq, $2 number of stretches. Complete: a transaction that gives
 * a seq locks the row of `stream` until its commit.
 */
const NEXT = `WITH stretch AS MATERIALIZED (
    (SELECT first_seq, origin_id FROM mirror_stretch
     WHERE first_seq <= $1::bigint + 1 ORDER BY first_seq DESC LIMIT 1)
    UNION ALL
    (SELECT first_seq, origin_id FROM mirror_stretch
     WHERE first_seq > $1::bigint + 1 ORDER BY first_seq LIMIT $2::int + 1)),
  log AS MATERIALIZED (
    SELECT l.origin_id, l.board, p.decisions FROM (SELECT DISTINCT own.board
        FROM (SELECT origin_id FROM stretch
          ORDER BY first_seq LIMIT $2::int) asked
        JOIN log_state own ON own.origin_id = asked.origin_id) b
      JOIN peer p ON p.name = b.board
        AND p.status NOT IN ('pending', 'blocked')
      JOIN log_state l ON l.board = b.board AND l.origin_id > 0
        AND l.closed_at IS NULL)
  SELECT coalesce(next.first_seq - 1, s.last_id) AS until,
    next.first_seq IS NOT NULL AS more,
    ARRAY(SELECT origin_id FROM log ORDER BY origin_id) AS logs,
    ARRAY(SELECT origin_id FROM log WHERE decisions = 'follow') AS followed,
    (SELECT count(*) > count(DISTINCT board) FROM log) AS several,
    (SELECT count(*) FROM log_state) AS known
  FROM stream s LEFT JOIN (SELECT first_seq FROM stretch
    ORDER BY first_seq OFFSET $2::int LIMIT 1) next ON true
  WHERE s.name = 'mirror_updates' AND s.last_id > $1`;

/**
 * Null at the end. A page reads only the logs that it shows, not all peers'.
 */
export async function nextStretches(
  sql: Sql,
  since: number,
  most: number,
): Promise<Stretches | null> {
  const [next] = await sql.query<Stretches>(NEXT, [since, most]);
  return next ?? null;
}

/** Above, one generic plan costs less than a plan per page. */
export const FEW = 12;

/** Unnamed, so planned for these values: only their partitions. */
export async function planned<Row>(
  { manager }: Sql,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return await manager.query<Row[]>(text, [...values]);
}

/** And the log with the text. */
type Named = { originId: number; id: number };

type NamedRow = { origin_id: number; id: number; root_id: number };

/** ID and root, by the log with the text. */
type Existing = ReadonlyMap<number, readonly [number, number][]>;

/** $1, $2 logs and IDs, $3, $4 as in `mirrorsOfLogs`. */
const existing = (several: boolean) => `WITH ${mirrorsOfLogs(3, several)}
  SELECT m.origin_id, m.id, m.root_id
  FROM unnest($1::int[], $2::bigint[]) AS n (origin_id, id)
    JOIN message m ON m.origin_id = n.origin_id AND m.id = n.id
  WHERE m.removed_at IS NULL ORDER BY m.origin_id DESC`;

/** On the text's board, in any generation (spec/mesh.md §B9). */
export async function existingOn(
  db: Sql,
  boards: readonly Pick<MirroredBoard, 'logs'>[],
  named: readonly Named[],
): Promise<Existing> {
  const found = new Map<number, [number, number][]>();
  if (named.length === 0) return found;
  const generations = new Map(
    boards.flatMap(({ logs }) => {
      const ids = logs.map(({ originId }) => originId);
      return ids.map((id) => [id, ids] as const);
    }),
  );
  const logsOf = (originId: number) => generations.get(originId) ?? [originId];
  const asked = named.flatMap(({ originId, id }) =>
    logsOf(originId).map((log) => ({ log, id })),
  );
  const logs = [...new Set(asked.map(({ log }) => log))];
  const several = logs.some((log) => logsOf(log).length > 1);
  const rows = await planned<NamedRow>(db, existing(several), [
    asked.map(({ log }) => log),
    asked.map(({ id }) => id),
    logs,
    [], // what is hidden exists
  ]);
  for (const { origin_id, id, root_id } of rows) {
    for (const log of logsOf(origin_id)) {
      const known = found.get(log) ?? [];
      // Of an ID given twice the later one counts, which comes first.
      if (known.some(([other]) => other === id)) continue;
      found.set(log, [...known, [id, root_id]]);
    }
  }
  return found;
}

/**
 * Adds references to other generations of the board, which the page's statement
 * leaves out.
 */
export async function withNamed(
  db: Sql,
  rows: readonly MergedRow[],
  boards: readonly Pick<MirroredBoard, 'logs'>[],
  preview: number,
): Promise<readonly MergedRow[]> {
  const several = boards.filter(({ logs }) => logs.length > 1);
  if (several.length === 0) return rows;
  const ofSeveral = new Set(
    several.flatMap(({ logs }) => logs.map(({ originId }) => originId)),
  );
  const named = rows.flatMap(({ origin_id: originId, body }) => {
    if (!ofSeveral.has(originId) || body === null) return [];
    const shown = preview === 0 ? body : [...body].slice(0, preview).join('');
    const ids = referenceCandidates(shown);
    return ids.map((id) => ({ originId, id }));
  });
  const existing = await existingOn(db, several, named);
  return rows.map((row) =>
    ofSeveral.has(row.origin_id)
      ? { ...row, existing: existing.get(row.origin_id) ?? null }
      : row,
  );
}
