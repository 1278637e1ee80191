import type { Database } from '../../server/db/sql.js';
import { referenceCandidates } from '../../server/http/references.js';
import type { MergedRow } from './merged-page.js';
import { mirrorsOfLogs } from './mirror-source.js';
import type { MirroredBoard } from './mirrored-board.js';
import { planned } from './planned.js';

/** A message that a text names, and the log that holds the text. */
type Named = { originId: number; id: number };

type Row = { origin_id: number; id: number; root_id: number };

/** ID and root of existing messages, by the log that holds the text. */
type Existing = ReadonlyMap<number, readonly [number, number][]>;

/** $1 and $2 logs and IDs, $3 and $4 as in `mirrorsOfLogs`. */
const existing = (several: boolean) => `WITH ${mirrorsOfLogs(3, several)}
  SELECT m.origin_id, m.id, m.root_id
  FROM unnest($1::int[], $2::bigint[]) AS n (origin_id, id)
    JOIN message m ON m.origin_id = n.origin_id AND m.id = n.id
  WHERE m.removed_at IS NULL ORDER BY m.origin_id DESC`;

/**
 * Which of the named messages exist on the board of the text (spec/mesh.md
 * §B9), in whichever generation of its log.
 */
export async function existingOn(
  db: Database,
  boards: readonly Pick<MirroredBoard, 'logs'>[],
  named: readonly Named[],
): Promise<Existing> {
  const found = new Map<number, [number, number][]>();
  if (named.length === 0) return found;
  const generations = generationsOf(boards);
  const logsOf = (originId: number) => generations.get(originId) ?? [originId];
  const asked = named.flatMap(({ originId, id }) =>
    logsOf(originId).map((log) => ({ log, id })),
  );
  const logs = [...new Set(asked.map(({ log }) => log))];
  const several = logs.some((log) => logsOf(log).length > 1);
  const rows = await planned<Row>(db, existing(several), [
    asked.map(({ log }) => log),
    asked.map(({ id }) => id),
    logs,
    [], // what is hidden exists
  ]);
  for (const { origin_id, id, root_id } of rows) {
    for (const log of logsOf(origin_id)) {
      const known = found.get(log) ?? [];
      // Of an ID given twice the later one counts, which came first.
      if (known.some(([other]) => other === id)) continue;
      found.set(log, [...known, [id, root_id]]);
    }
  }
  return found;
}

/** Each log with all the logs of its board. */
function generationsOf(
  boards: readonly Pick<MirroredBoard, 'logs'>[],
): Map<number, number[]> {
  return new Map(
    boards.flatMap(({ logs }) => {
      const ids = logs.map(({ originId }) => originId);
      return ids.map((id): [number, number[]] => [id, ids]);
    }),
  );
}

/**
 * Rows whose texts may also name messages of another generation of their
 * board, which the page's own statement does not look for.
 */
export async function withNamed(
  db: Database,
  rows: readonly MergedRow[],
  boards: readonly Pick<MirroredBoard, 'logs'>[],
  preview: number,
): Promise<readonly MergedRow[]> {
  const several = boards.filter(({ logs }) => logs.length > 1);
  if (several.length === 0) return rows;
  const ofSeveral = new Set(
    several.flatMap(({ logs }) => logs.map(({ originId }) => originId)),
  );
  const named = rows.flatMap(({ origin_id: originId, body }) =>
    ofSeveral.has(originId) && body !== null
      ? referenceCandidates(shownOf(body, preview)).map((id) => ({
          originId,
          id,
        }))
      : [],
  );
  const existing = await existingOn(db, several, named);
  return rows.map((row) =>
    ofSeveral.has(row.origin_id)
      ? { ...row, existing: existing.get(row.origin_id) ?? null }
      : row,
  );
}

function shownOf(body: string, preview: number): string {
  return preview === 0 ? body : [...body].slice(0, preview).join('');
}
