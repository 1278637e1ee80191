import { expect } from 'chai';
import { sha256, toHex, utf8 } from '../../../protocol/bytes.js';
import {
  openCheckpoint,
  verifyCosignature,
} from '../../../protocol/checkpoint.js';
import {
  feedPageFromJson,
  verifyFeedPage,
} from '../../../protocol/feed-page.js';
import { tilePath } from '../../../protocol/tile.js';
import { emptyFrontier, frontierRoot } from '../../../protocol/tree.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { taken } from '../../protocol/support/vectors.js';
import {
  checkConsistency,
  hashOfLeaf,
  rootOf,
  treeOf,
} from '../../support/check-ledger.js';
import { type Reader, readerOf, readLeaves } from '../../support/log-reader.js';

/** What an auditor knows: an address and the keys it pinned. */
export type Audited = {
  baseUrl: string;
  origin: string;
  logVkey: Vkey;
  cosigner: Vkey;
};

export type AuditReport = Awaited<ReturnType<typeof auditMirror>>;

const WIDTH = 256;

/**
 * Audits a mirrored log by `/mirror/<sha256(origin)>` alone, with nothing but
 * the protocol's functions, as a stranger would a C2SP tiled log: head and
 * cosignature, every entry bundle, every hash tile of every level, full and
 * partial, consistency from every size asked for, and the feed from entry 0.
 */
export async function auditMirror(audited: Audited) {
  const { baseUrl, origin, logVkey, cosigner } = audited;
  const reader = readerOf(baseUrl, `/mirror/${toHex(sha256(utf8(origin)))}`);
  const note = await reader.text(`${reader.log}/checkpoint`);
  const head = taken(openCheckpoint(note, logVkey));
  expect(head.origin).to.equal(origin);
  const [, line] = head.note.signatures;
  if (line === undefined) throw new Error('no cosignature');
  taken(verifyCosignature(head.note.text, line, cosigner));
  const { size, root } = head;
  const leaves = await readLeaves(reader, size);
  const levels = treeOf(leaves.map(hashOfLeaf));
  if (!rootOf(levels, 0, size).equals(root)) throw new Error('root');
  const tiles = await checkTiles(reader, levels);
  const sizes = [1, 2, 3, 255, 256, 257, 300, 511, 512, size - 1, size];
  const proofs = await checkConsistency(reader, levels, size, sizes);
  await checkFeed(reader, logVkey, size, root);
  return { size, root: toHex(root), leaves, tiles, proofs };
}

/** Every tile of every level, and of the last ones every partial width. */
async function checkTiles(reader: Reader, levels: Buffer[][]): Promise<number> {
  let checked = 0;
  for (let level = 0; (levels[level * 8]?.length ?? 0) > 0; level += 1) {
    const hashes = levels[level * 8] ?? [];
    for (let n = 0; n * WIDTH < hashes.length; n += 1) {
      const whole = hashes.slice(n * WIDTH, (n + 1) * WIDTH);
      const widths = new Set([1, whole.length >> 1, whole.length]);
      for (const width of widths) {
        if (width < 1) continue;
        const path = `${reader.log}/tile/${tilePath(level, n, width)}`;
        const expected = Buffer.concat(whole.slice(0, width));
        expect(await reader.bytes(path), path).to.eql(expected);
        checked += 1;
      }
    }
  }
  return checked;
}

async function checkFeed(
  reader: Reader,
  logVkey: Vkey,
  size: number,
  root: Uint8Array,
): Promise<void> {
  let frontier = emptyFrontier();
  while (frontier.size < size) {
    const path = `feed?from=${frontier.size}&limit=100&content=all`;
    const json: unknown = JSON.parse(
      await reader.text(`${reader.log}/${path}`),
    );
    const page = taken(feedPageFromJson(json));
    frontier = taken(verifyFeedPage(page, frontier, logVkey)).frontier;
  }
  expect(Buffer.from(frontierRoot(frontier))).to.eql(Buffer.from(root));
}
