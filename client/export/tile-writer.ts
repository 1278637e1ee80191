import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { concat, fromUtf8, toBase64 } from '../../protocol/bytes.js';
import { contentToJson } from '../../protocol/content.js';
import { readLeaf } from '../../protocol/entry.js';
import { messageHash } from '../../protocol/statement.js';
import { encodeEntryBundle } from '../../protocol/tile.js';
import { appendLeaf, emptyFrontier, leafHash } from '../../protocol/tree.js';
import {
  entryTileFile,
  hashTileFile,
  messagesFile,
  type Piece,
} from '../verify/bundle/layout.js';
import {
  fileOf,
  type LoggedPost,
  messageLine,
} from '../verify/bundle/lines.js';
import type { SourceEntry } from './bundle-source.js';

export type WrittenMessage = { id: number; index: number; hasText: boolean };

export async function writeIn(
  folder: string,
  name: string,
  data: string | Uint8Array,
): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, data, { mode: 0o600 });
}

/** Null for other entries. */
export function postOf(leaf: Uint8Array, index: number): LoggedPost | null {
  const read = readLeaf(fromUtf8(leaf) ?? '');
  if (!read.ok || read.value.entry.type !== 'post') return null;
  const { entry, post } = read.value;
  return post === null ? null : { index, entry, post };
}

/** `roots`: subtrees of the tile, largest first. */
export async function writeTile(
  folder: string,
  piece: Piece,
  first: number,
  entries: readonly SourceEntry[],
): Promise<{ roots: Uint8Array[]; messages: WrittenMessage[] }> {
  const lines: string[] = [];
  const messages: WrittenMessage[] = [];
  const hashes: Uint8Array[] = [];
  let frontier = emptyFrontier();
  for (const [at, { leaf, content }] of entries.entries()) {
    const hash = leafHash(leaf);
    hashes.push(hash);
    frontier = appendLeaf(frontier, hash).frontier;
    const logged = postOf(leaf, first + at);
    if (logged === null) continue;
    const text = content === null ? null : contentToJson(content);
    const { index, entry, post } = logged;
    lines.push(messageLine(logged, toBase64(messageHash(post.text)), text));
    messages.push({ id: entry.id, index, hasText: content !== null });
  }
  const leaves = entries.map(({ leaf }) => leaf);
  await writeIn(folder, entryTileFile(piece), encodeEntryBundle(leaves));
  await writeIn(folder, hashTileFile(0, piece), concat(...hashes));
  await writeIn(folder, messagesFile(piece.n), fileOf(lines));
  return { roots: frontier.hashes, messages };
}
