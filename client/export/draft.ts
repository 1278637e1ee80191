import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { TILE_WIDTH } from '../../protocol/limits.js';
import { encodeEntryBundle } from '../../protocol/tile.js';
import { noFaults } from '../verify/bundle/faults.js';
import { messagesFile } from '../verify/bundle/layout.js';
import { emptyScan, type Scan, scanTile } from '../verify/bundle/scan.js';
import type { SourceEntry } from './bundle-source.js';
import { postOf, type WrittenMessage, writeIn } from './tile-writer.js';

/** A bundle on its way to disk; `pending` is the tile not yet full. */
export type Draft = {
  folder: string;
  scan: Scan;
  roots: Uint8Array[];
  pending: SourceEntry[];
  messages: Map<number, WrittenMessage>;
};

/**
 * Whether a text is missing that no entry read so far removed: it went between
 * the reading of the head and its own, so that the log has to be read on.
 */
export function lacksRemoval({ scan, pending, messages }: Draft): boolean {
  const ahead = { ...emptyScan(), removed: new Set(scan.removed) };
  const bytes = encodeEntryBundle(pending.map(({ leaf }) => leaf));
  scanTile(ahead, bytes, 0, noFaults());
  for (const { id, hasText } of messages.values()) {
    if (!hasText && !ahead.removed.has(id)) return true;
  }
  return pending.some(({ leaf, content }) => {
    const post = content === null ? postOf(leaf, 0) : null;
    return post !== null && !ahead.removed.has(post.entry.id);
  });
}

/** A text that was removed while the log was read leaves its line. */
export async function dropRemoved(draft: Draft): Promise<void> {
  const { folder, scan, messages } = draft;
  for (const id of scan.removed) {
    const message = messages.get(id);
    if (!message?.hasText) continue;
    const file = messagesFile(Math.floor(message.index / TILE_WIDTH));
    const text = await readFile(path.join(folder, file), 'utf8');
    const lines = text.split('\n').map((line) => {
      const json = line === '' ? null : (JSON.parse(line) as { id: number });
      if (json?.id !== id) return line;
      return JSON.stringify({ ...json, content: null });
    });
    await writeIn(folder, file, lines.join('\n'));
  }
}
