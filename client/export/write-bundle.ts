import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { concat, fromUtf8, toBase64 } from '../../protocol/bytes.js';
import { parseCheckpoint } from '../../protocol/checkpoint.js';
import { contentToJson } from '../../protocol/content.js';
import { readIdentityNote, readLeaf } from '../../protocol/entry.js';
import { TILE_WIDTH } from '../../protocol/limits.js';
import { parseNote } from '../../protocol/note.js';
import { ready } from '../../protocol/signing.js';
import { messageHash } from '../../protocol/statement.js';
import { encodeEntryBundle } from '../../protocol/tile.js';
import { leafHash } from '../../protocol/tree.js';
import { noFaults } from '../verify/bundle/faults.js';
import {
  BUNDLE_FORMAT,
  CHECKPOINT,
  entryTileFile,
  hashTileFile,
  KEYS,
  messagesFile,
  type Piece,
  README,
  README_TEXT,
  SUMMARY,
  type Summary,
} from '../verify/bundle/layout.js';
import {
  fileOf,
  keyLine,
  type LoggedPost,
  messageLine,
} from '../verify/bundle/lines.js';
import { emptyScan, type Scan, scanTile } from '../verify/bundle/scan.js';
import { subtrees, upperTree } from '../verify/bundle/tree-tiles.js';
import type { BundleSource, SourceEntry } from './bundle-source.js';

type OnProgress = (done: number, size: number) => void;

/** Reads of new entries, to find the removal of a missing text. */
const ROUNDS = 5;

const sizeOf = ({ roots, pending }: Draft) =>
  roots.length * TILE_WIDTH + pending.length;

async function flush(draft: Draft): Promise<Uint8Array[]> {
  const { folder, scan, pending, messages } = draft;
  const n = draft.roots.length;
  const first = n * TILE_WIDTH;
  const piece = { n, width: pending.length };
  const written = await writeTile(folder, piece, first, pending);
  for (const message of written.messages) messages.set(message.id, message);
  const bytes = encodeEntryBundle(pending.map(({ leaf }) => leaf));
  scanTile(scan, bytes, first, noFaults());
  return written.roots;
}

async function readOn(
  draft: Draft,
  source: BundleSource,
  size: number,
  onProgress: OnProgress,
): Promise<void> {
  while (sizeOf(draft) < size) {
    const room = TILE_WIDTH - draft.pending.length;
    const from = sizeOf(draft);
    const until = Math.min(from + room, size);
    draft.pending.push(...(await source.entries(from, until)));
    if (draft.pending.length === TILE_WIDTH) {
      draft.roots.push(...(await flush(draft)));
      draft.pending = [];
    }
    onProgress(sizeOf(draft), size);
  }
}

function headOf(note: string): { origin: string; size: number } {
  const parsed = parseNote(note);
  const head = parsed.ok ? parseCheckpoint(parsed.value.text) : parsed;
  if (!head.ok) throw new Error('the checkpoint is not well formed');
  return head.value;
}

function summaryOf({ scan, messages }: Draft, size: number): Summary {
  const [first] = scan.others;
  const identity =
    first?.entry.type === 'board'
      ? readIdentityNote(first.entry.embedded)
      : null;
  if (!identity?.ok) throw new Error('the log does not begin with its board');
  const { name, origin, log } = identity.value;
  return {
    format: BUNDLE_FORMAT,
    board: name,
    origin,
    log_vkey: log,
    size,
    messages: messages.size,
    removed: scan.removed.size,
    agents: scan.keys.agents.size,
  };
}

/** Into an empty folder, see `README_TEXT`. Not verified. */
export async function writeBundle(
  folder: string,
  source: BundleSource,
  onProgress: OnProgress = () => {},
): Promise<Summary> {
  await ready();
  const draft: Draft = {
    folder,
    scan: emptyScan(),
    roots: [],
    pending: [],
    messages: new Map(),
  };
  let note = await source.checkpoint();
  await readOn(draft, source, headOf(note).size, onProgress);
  for (let round = 1; round < ROUNDS && lacksRemoval(draft); round += 1) {
    note = await source.checkpoint();
    await readOn(draft, source, headOf(note).size, onProgress);
  }
  const { size } = headOf(note);
  const rest = draft.pending.length === 0 ? [] : await flush(draft);
  await dropRemoved(draft);
  for (const [name, hashes] of upperTree(size, draft.roots, rest).tiles) {
    await writeIn(folder, name, hashes);
  }
  const summary = summaryOf(draft, size);
  const keys = [...draft.scan.keys.agents.values()].map(keyLine);
  await writeIn(folder, KEYS, fileOf(keys));
  await writeIn(folder, CHECKPOINT, note);
  await writeIn(folder, README, README_TEXT);
  await writeIn(folder, SUMMARY, fileOf([JSON.stringify(summary)]));
  return summary;
}

type Draft = {
  folder: string;
  scan: Scan;
  roots: Uint8Array[];
  pending: SourceEntry[];
  messages: Map<number, WrittenMessage>;
};

/** A text was removed after the head was read: read on. */
function lacksRemoval({ scan, pending, messages }: Draft): boolean {
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

async function dropRemoved(draft: Draft): Promise<void> {
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

type WrittenMessage = { id: number; index: number; hasText: boolean };

async function writeIn(
  folder: string,
  name: string,
  data: string | Uint8Array,
): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, data, { mode: 0o600 });
}

/** Null for other entries. */
function postOf(leaf: Uint8Array, index: number): LoggedPost | null {
  const read = readLeaf(fromUtf8(leaf) ?? '');
  if (!read.ok || read.value.entry.type !== 'post') return null;
  const { entry, post } = read.value;
  return post === null ? null : { index, entry, post };
}

/** `roots`: subtrees of the tile, largest first. */
async function writeTile(
  folder: string,
  piece: Piece,
  first: number,
  entries: readonly SourceEntry[],
): Promise<{ roots: Uint8Array[]; messages: WrittenMessage[] }> {
  const lines: string[] = [];
  const messages: WrittenMessage[] = [];
  const hashes: Uint8Array[] = [];
  for (const [at, { leaf, content }] of entries.entries()) {
    hashes.push(leafHash(leaf));
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
  return { roots: subtrees(hashes), messages };
}
