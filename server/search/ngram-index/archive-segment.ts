import type { Database, Tx } from '../../db/sql.js';
import { fold } from '../fold.js';
import { BLOCK, BLOCKS, SEGMENT } from './layout.js';
import { SegmentKeys, type Slice } from './segment-keys.js';
import { archiveState, lockArchive } from './state.js';

/** Blocks whose texts are read at once. */
const AT_ONCE = 8;
/**
 * Newest messages that stay in `message_search`: few, because every search looks
 * through them; some, because what is removed is mostly new, and the keys of a
 * segment are made again for each.
 */
const NEWEST = 512;

type Text = { id: number; title: string | null; body: string };

async function gather(
  db: Database,
  segment: number,
  goesOn: () => boolean,
): Promise<SegmentKeys | null> {
  const keys = new SegmentKeys();
  for (let block = 0; block < BLOCKS; block += AT_ONCE) {
    if (!goesOn()) return null;
    const first = segment * SEGMENT + block * BLOCK;
    const rows = await db.query<Text>(
      `SELECT id, title, body FROM message
       WHERE id >= $1 AND id < $2 AND removed_at IS NULL`,
      [first, first + AT_ONCE * BLOCK],
    );
    const texts = Array.from({ length: AT_ONCE }, (): string[] => []);
    for (const { id, title, body } of rows) {
      const own = texts[Math.floor((id - first) / BLOCK)];
      own?.push(fold(body));
      if (title !== null) own?.push(fold(title));
    }
    for (const [n, own] of texts.entries()) keys.addBlock(block + n, own);
  }
  return keys;
}

async function insertSlices(
  tx: Tx,
  segment: number,
  slices: readonly Slice[],
): Promise<void> {
  await tx.query(
    `INSERT INTO search_slice (segment, slice, data)
     SELECT $1, s.slice, s.data
     FROM unnest($2::integer[], $3::bytea[]) AS s (slice, data)`,
    [segment, slices.map(({ slice }) => slice), slices.map(({ data }) => data)],
  );
}

/**
 * Makes the keys of a segment and, in one transaction, puts them in the place
 * of its rows of `message_search`: a search finds a text here or there. Answers
 * false when a text came or went meanwhile, or `goesOn` said no: then nothing
 * was changed.
 */
export async function archiveSegment(
  db: Database,
  segment: number,
  goesOn: () => boolean = () => true,
): Promise<boolean> {
  const { changes } = await archiveState(db);
  const keys = await gather(db, segment, goesOn);
  if (keys === null) return false;
  // Made before anybody has to wait for the lock.
  const portions: Slice[][] = [];
  for await (const portion of keys.slices()) portions.push(portion);
  return await db.transaction(async (tx) => {
    const state = await lockArchive(tx);
    if (state.changes !== changes) return false;
    await tx.query('DELETE FROM search_slice WHERE segment = $1', [segment]);
    for (const portion of portions) await insertSlices(tx, segment, portion);
    await tx.query(
      'DELETE FROM message_search WHERE message_id >= $1 AND message_id < $2',
      [segment * SEGMENT, (segment + 1) * SEGMENT],
    );
    await tx.query(
      `UPDATE search_archive SET segments = greatest(segments, $1 + 1),
         missing = array_remove(missing, $1)`,
      [segment],
    );
    return true;
  });
}

/** The segment to archive next, what is missing first; null: none is due. */
export async function dueSegment(db: Database): Promise<number | null> {
  const { segments, missing } = await archiveState(db);
  const [first] = missing;
  if (first !== undefined) return first;
  const [row] = await db.query<{ id: number }>(
    'SELECT id FROM message ORDER BY id DESC LIMIT 1',
  );
  const isDue = (row?.id ?? 0) >= (segments + 1) * SEGMENT + NEWEST;
  return isDue ? segments : null;
}
