import { And, IsNull, LessThan, MoreThanOrEqual } from 'typeorm';
import { fold } from '../../../protocol/fold.js';
import { Message } from '../../db/entities/message.js';
import {
  MessageSearch,
  SearchArchive,
  SearchSlice,
} from '../../db/entities/search.js';
import type { Database } from '../../db/sql.js';
import { archiveState, insertSlices, lockArchive } from './archive.sql.js';
import { SegmentKeys, type Slice } from './segment-keys.js';
import { BLOCK, BLOCKS, SEGMENT } from './slice.js';

/** Blocks read at once. */
const AT_ONCE = 8;
/** Few, as each search scans them; some, as removals cost a segment. */
const NEWEST = 512;

async function gather(
  db: Database,
  segment: number,
  goesOn: () => boolean,
): Promise<SegmentKeys | null> {
  const keys = new SegmentKeys();
  for (let block = 0; block < BLOCKS; block += AT_ONCE) {
    if (!goesOn()) return null;
    const first = segment * SEGMENT + block * BLOCK;
    const rows = await db.manager.find(Message, {
      select: { id: true, title: true, body: true },
      where: {
        id: And(MoreThanOrEqual(first), LessThan(first + AT_ONCE * BLOCK)),
        removedAt: IsNull(),
      },
    });
    const texts = Array.from({ length: AT_ONCE }, (): string[] => []);
    for (const { id, title, body } of rows) {
      const own = texts[Math.floor((id - first) / BLOCK)];
      own?.push(fold(body ?? ''));
      if (title !== null) own?.push(fold(title));
    }
    for (const [n, own] of texts.entries()) keys.addBlock(block + n, own);
  }
  return keys;
}

/**
 * Replaces a segment's rows of `message_search` by its keys in one transaction.
 * False when a text changed meanwhile or `goesOn` refused.
 */
export async function archiveSegment(
  db: Database,
  segment: number,
  goesOn: () => boolean = () => true,
): Promise<boolean> {
  const { changes } = await archiveState(db);
  const keys = await gather(db, segment, goesOn);
  if (keys === null) return false;
  const portions: Slice[][] = [];
  for await (const portion of keys.slices()) portions.push(portion);
  return await db.transaction(async (tx) => {
    const state = await lockArchive(tx);
    if (state.changes !== changes) return false;
    await tx.manager.delete(SearchSlice, { segment });
    for (const portion of portions) await insertSlices(tx, segment, portion);
    const [from, to] = [segment * SEGMENT, (segment + 1) * SEGMENT];
    await tx.manager.delete(MessageSearch, {
      messageId: And(MoreThanOrEqual(from), LessThan(to)),
    });
    await tx.manager.update(
      SearchArchive,
      { id: 1 },
      {
        segments: Math.max(state.segments, segment + 1),
        missing: state.missing.filter((one) => one !== segment),
      },
    );
    return true;
  });
}

/** Missing ones first; null: none is due. */
export async function dueSegment(db: Database): Promise<number | null> {
  const { segments, missing } = await archiveState(db);
  const [first] = missing;
  if (first !== undefined) return first;
  const newest = (await db.manager.maximum(Message, 'id')) ?? 0;
  const isDue = newest >= (segments + 1) * SEGMENT + NEWEST;
  return isDue ? segments : null;
}
