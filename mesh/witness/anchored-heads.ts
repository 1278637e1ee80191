import { parseCheckpoint } from '../../protocol/checkpoint.js';
import { parseEntry } from '../../protocol/entry.js';
import { parseNote } from '../../protocol/note.js';
import type { Sql } from '../../server/db/sql.js';

const FIRST_LOOK = 5000;
const AT_ONCE = 500;

/**
 * Heads that a mirrored log anchors, from where the last look ended: what a
 * board cosigned and cannot deny (spec/mesh.md §B8). `ends` is kept by the
 * caller.
 */
export async function anchoredHeads(
  sql: Sql,
  originId: number,
  ends: Map<number, number>,
): Promise<{ origin: string; note: string }[]> {
  const [state] = await sql.query<{ size: number }>(
    'SELECT size FROM log_state WHERE origin_id = $1',
    [originId],
  );
  const size = state?.size ?? 0;
  const from = ends.get(originId) ?? Math.max(0, size - FIRST_LOOK);
  const rows = await sql.query<{ idx: number; leaf: Buffer }>(
    `SELECT idx, leaf FROM log_entry
     WHERE origin_id = $1 AND idx >= $2 AND idx < $3 AND type = 'anchor'
       AND status = 'ok' ORDER BY idx LIMIT ${AT_ONCE}`,
    [originId, from, size],
  );
  const last = rows.length === AT_ONCE ? rows.at(-1)?.idx : undefined;
  ends.set(originId, last === undefined ? size : last + 1);
  return rows.flatMap(({ leaf }) => {
    const entry = parseEntry(leaf.toString('utf8'));
    if (!entry.ok || entry.value.type !== 'anchor') return [];
    const note = entry.value.embedded;
    const parsed = parseNote(note);
    const head = parsed.ok ? parseCheckpoint(parsed.value.text) : parsed;
    return head.ok ? [{ origin: head.value.origin, note }] : [];
  });
}
