import {
  equalBytes,
  fromBase64,
  sha256,
  toHex,
} from '../../../protocol/bytes.js';
import {
  openCheckpoint,
  verifyCosignature,
} from '../../../protocol/checkpoint.js';
import { verifyConsistency } from '../../../protocol/consistency.js';
import {
  feedPageFromJson,
  verifyFeedPage,
} from '../../../protocol/feed-page.js';
import { decodeEntryBundle, tilePath } from '../../../protocol/tile.js';
import {
  emptyFrontier,
  foldRoots,
  frontierRoot,
  leafHash,
  nodeHash,
} from '../../../protocol/tree.js';
import type { Verdict } from '../../../protocol/verdict.js';
import type { Vkey } from '../../../protocol/vkey.js';

/** What an auditor knows: an address and the keys it pinned. */
export type Audited = {
  baseUrl: string;
  origin: string;
  logVkey: Vkey;
  cosigner: Vkey;
};

export type AuditReport = {
  size: number;
  root: string;
  leaves: Uint8Array[];
  tiles: number;
  proofs: number;
};

const WIDTH = 256;

function taken<T, R extends string>(verdict: Verdict<T, R>, what: string): T {
  if (!verdict.ok) throw new Error(`${what}: ${verdict.reason}`);
  return verdict.value;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/**
 * Audits a mirrored log by `/mirror/<sha256(origin)>` alone, with nothing but
 * the protocol's functions, as a stranger would a C2SP tiled log: head and
 * cosignature, every entry bundle, every hash tile of every level, full and
 * partial, consistency from every size asked for, and the feed from entry 0.
 */
export async function auditMirror(audited: Audited): Promise<AuditReport> {
  const { baseUrl, origin, logVkey, cosigner } = audited;
  const hash = toHex(sha256(new TextEncoder().encode(origin)));
  const prefix = `${baseUrl}/mirror/${hash}`;
  const read = async (path: string): Promise<Uint8Array> => {
    const answer = await fetch(`${prefix}/${path}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    must(answer.status === 200, `${path}: ${answer.status}`);
    return bytes;
  };
  const note = new TextDecoder().decode(await read('checkpoint'));
  const head = taken(openCheckpoint(note, logVkey), 'checkpoint');
  must(head.origin === origin, 'origin');
  const [, line] = head.note.signatures;
  if (line === undefined) throw new Error('no cosignature');
  taken(verifyCosignature(head.note.text, line, cosigner), 'cosignature');
  const leaves = await readBundles(read, head.size);
  const levels = treeOf(leaves.map((leaf) => leafHash(leaf)));
  must(equalBytes(rootOf(levels, head.size), head.root), 'root');
  const tiles = await checkTiles(read, levels);
  const proofs = await checkConsistency(read, levels, head.size);
  await checkFeed(read, logVkey, head.size, head.root);
  return { size: head.size, root: toHex(head.root), leaves, tiles, proofs };
}

type Read = (path: string) => Promise<Uint8Array>;

async function readBundles(read: Read, size: number): Promise<Uint8Array[]> {
  const leaves: Uint8Array[] = [];
  for (let n = 0; n * WIDTH < size; n += 1) {
    const width = Math.min(WIDTH, size - n * WIDTH);
    const path = `tile/${tilePath('entries', n, width)}`;
    const bundle = taken(decodeEntryBundle(await read(path)), path);
    must(bundle.length === width, path);
    leaves.push(...bundle);
  }
  return leaves;
}

/** Hashes of full subtrees by level. */
function treeOf(leaves: Uint8Array[]): Uint8Array[][] {
  const levels = [leaves];
  for (let below = leaves; below.length > 1; ) {
    const above: Uint8Array[] = [];
    for (let at = 0; at + 1 < below.length; at += 2) {
      const [left, right] = [below[at], below[at + 1]];
      if (left && right) above.push(nodeHash(left, right));
    }
    levels.push(above);
    below = above;
  }
  return levels;
}

function rootOf(levels: Uint8Array[][], size: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let level = levels.length; level >= 0; level -= 1) {
    const width = 2 ** level;
    if (from + width > size) continue;
    const hash = levels[level]?.[from / width];
    if (hash === undefined) throw new Error('the tree lacks a subtree');
    parts.push(hash);
    from += width;
  }
  return foldRoots(parts);
}

/** Every tile of every level, and of the last ones every partial width. */
async function checkTiles(read: Read, levels: Uint8Array[][]): Promise<number> {
  let checked = 0;
  for (let level = 0; (levels[level * 8]?.length ?? 0) > 0; level += 1) {
    const hashes = levels[level * 8] ?? [];
    for (let n = 0; n * WIDTH < hashes.length; n += 1) {
      const whole = hashes.slice(n * WIDTH, (n + 1) * WIDTH);
      const widths = new Set([1, whole.length >> 1, whole.length]);
      for (const width of widths) {
        if (width < 1) continue;
        const path = `tile/${tilePath(level, n, width)}`;
        const bytes = await read(path);
        const expected = Buffer.concat(whole.slice(0, width));
        must(equalBytes(bytes, expected), path);
        checked += 1;
      }
    }
  }
  return checked;
}

async function checkConsistency(
  read: Read,
  levels: Uint8Array[][],
  size: number,
): Promise<number> {
  const sizes = [1, 2, 3, 255, 256, 257, 300, 511, 512, size - 1, size];
  const asked = sizes.filter((old) => old >= 1 && old <= size);
  for (const old of asked) {
    const path = `consistency?from=${old}&to=${size}`;
    const text = new TextDecoder().decode(await read(path));
    const { hashes } = JSON.parse(text) as { hashes: string[] };
    const proof = hashes.map((one) => fromBase64(one, 32) ?? new Uint8Array());
    const roots = [rootOf(levels, old), rootOf(levels, size)] as const;
    must(verifyConsistency(old, size, ...roots, proof), path);
  }
  return asked.length;
}

async function checkFeed(
  read: Read,
  logVkey: Vkey,
  size: number,
  root: Uint8Array,
): Promise<void> {
  let frontier = emptyFrontier();
  while (frontier.size < size) {
    const path = `feed?from=${frontier.size}&limit=100&content=all`;
    const json: unknown = JSON.parse(
      new TextDecoder().decode(await read(path)),
    );
    const page = taken(feedPageFromJson(json), path);
    frontier = taken(verifyFeedPage(page, frontier, logVkey), path).frontier;
  }
  must(equalBytes(frontierRoot(frontier), root), 'root of the feed');
}
