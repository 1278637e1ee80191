import type { Database } from '../../server/db/sql.js';
import { bareColumns } from '../../server/reading/message-columns.js';
import type { MergedRow } from './merged-page.js';
import { mirroredColumns, mirrorsOfLogs } from './mirror-source.js';
import type { MirroredBoard } from './mirrored-board.js';
import { planned } from './planned.js';
import { type Found, foundTexts } from './search-texts.js';

type Searched = Pick<MirroredBoard, 'logs' | 'follow'>;

export type MergedSearch = {
  q: string;
  /** Those that are searched. */
  boards: readonly Searched[];
  /** Exclusive upper place in this node's order; null: from the newest. */
  before: number | null;
  limit: number;
};

/** Each of the logs $n of a board that has several, with each other of them. */
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
 * Of what was found what is shown: not removed, not hidden here, and not in a
 * topic hidden by what is followed; that topic may stand in the log of another
 * generation of its board. $1 to $3 places, logs and IDs, $4 and $5 as in
 * `mirrorsOfLogs`.
 */
const shown = (several: boolean) => `
  WITH ${mirrorsOfLogs(4, several)}${several ? generations(4) : ''}
  SELECT s.seq, ${bareColumns('m')} ${mirroredColumns('m')}
  FROM unnest($1::bigint[], $2::int[], $3::bigint[]) AS s (seq, origin_id, id)
    JOIN message m ON m.origin_id = s.origin_id AND m.id = s.id
    LEFT JOIN message r ON r.origin_id = m.origin_id AND r.id = m.root_id
  WHERE m.removed_at IS NULL
    AND coalesce(r.visibility${several ? IN_ANOTHER : ''})
      IS DISTINCT FROM 'hidden_by_decision'
  ORDER BY s.seq DESC`;

/**
 * The newest messages that match, at most `limit`. Texts are looked for first,
 * in all logs; the messages of those that match are read in the logs that hold
 * them. A statement that takes too long is a 503.
 */
export async function searchMirrors(
  db: Database,
  { q, boards, before, limit }: MergedSearch,
): Promise<MergedRow[]> {
  const boardOf = new Map(
    boards.flatMap((board) =>
      board.logs.map(({ originId }): [number, Searched] => [originId, board]),
    ),
  );
  const rows: MergedRow[] = [];
  const asked = { q, logs: [...boardOf.keys()], before, piece: limit };
  for await (const found of foundTexts(db, asked)) {
    rows.push(...(await messagesOf(db, found, boardOf)));
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}

async function messagesOf(
  db: Database,
  found: readonly Found[],
  boardOf: ReadonlyMap<number, Searched>,
): Promise<MergedRow[]> {
  const boards = new Set(
    found.flatMap(({ origin_id }) => boardOf.get(origin_id) ?? []),
  );
  const logsOf = (some: readonly Searched[]) =>
    some.flatMap(({ logs }) => logs.map(({ originId }) => originId));
  const all = [...boards];
  const several = all.some(({ logs }) => logs.length > 1);
  return await planned<MergedRow>(db, shown(several), [
    found.map(({ seq }) => seq),
    found.map(({ origin_id }) => origin_id),
    found.map(({ id }) => id),
    logsOf(all),
    logsOf(all.filter(({ follow }) => follow)),
  ]);
}
