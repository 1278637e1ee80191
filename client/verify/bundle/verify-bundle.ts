import { equalBytes, useDigest } from '../../../protocol/bytes.js';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import { ready } from '../../../protocol/signing.js';
import { nativeDigest } from '../native-digest.js';
import { NO_PINS, type Pins } from '../pins.js';
import { addFault, type FaultStep, type Faults, noFaults } from './faults.js';
import { bytesIn, filesIn, strangersAmong, textIn } from './folder.js';
import { type Head, openHead, readSummary } from './head.js';
import {
  CHECKPOINT,
  entryTileFile,
  KEYS,
  pieces,
  SUMMARY,
  type Summary,
} from './layout.js';
import { fileOf, keyLine } from './lines.js';
import {
  beginWalk,
  checkIdentities,
  checkTargets,
  type Walk,
  walkTile,
} from './order.js';
import { emptyScan, type Scan, scanTile } from './scan.js';
import { upperTree } from './tree-tiles.js';
import { checkTiles, startThreads, type Threads } from './workers.js';

/** What a bundle is found to contain; whole where there are no faults. */
export type CheckedBundle = {
  board: string;
  origin: string;
  size: number;
  messages: number;
  signed: number;
  removed: number;
  agents: number;
  /** Time of the last entry, ms. */
  until: number;
  pinned: boolean;
  cosigners: string[];
  strangers: string[];
};
export type BundleVerdict = { bundle: CheckedBundle | null; faults: Faults };

export type BundleOptions = Threads & {
  pins?: Pins;
  /** Entries checked, of all. */
  onProgress?: (done: number, size: number) => void;
};

async function scanLog(folder: string, size: number, faults: Faults) {
  const scan = emptyScan();
  for (const piece of pieces(size)) {
    const bytes = await bytesIn(folder, entryTileFile(piece));
    if (bytes === null) continue; // its worker says so
    scanTile(scan, bytes, piece.n * TILE_WIDTH, faults);
  }
  return scan;
}

/** The tree that the tiles make is the one whose root was signed. */
async function checkTree(
  folder: string,
  head: Head,
  roots: Uint8Array[],
  rest: Uint8Array[],
  faults: Faults,
): Promise<void> {
  const { tiles, root } = upperTree(head.size, roots, rest);
  if (!equalBytes(root, head.root)) {
    addFault(faults, 'checkpoint', null, 'the entries are not those signed');
  }
  for (const [name, hashes] of tiles) {
    const shown = await bytesIn(folder, name);
    if (shown !== null && equalBytes(shown, hashes)) continue;
    addFault(faults, 'tiles', null, `${name} is missing or not of this tree`);
  }
}

function summaryOf(head: Head, walk: Walk, scan: Scan, shown: Summary) {
  return {
    format: shown.format,
    board: head.board,
    origin: head.origin,
    log_vkey: shown.log_vkey,
    size: head.size,
    messages: walk.counts.messages,
    removed: scan.removed.size,
    agents: scan.keys.agents.size,
  };
}

/**
 * Checks a whole export bundle, offline, on all cores: the signed head, the
 * tree, every entry, key, signature, place and text. Nothing is written.
 */
export async function verifyBundle(
  folder: string,
  { pins = NO_PINS, onProgress = () => {}, ...threads }: BundleOptions = {},
): Promise<BundleVerdict> {
  useDigest(nativeDigest);
  await ready;
  const faults = noFaults();
  const text = await textIn(folder, SUMMARY);
  const shown = readSummary(text ?? '');
  const note = await textIn(folder, CHECKPOINT);
  const none = (step: FaultStep, what: string): BundleVerdict => {
    addFault(faults, step, null, what);
    return { bundle: null, faults };
  };
  if (text === null || shown === null || note === null) {
    return none('layout', 'this folder is no whole bundle');
  }
  const head = openHead(shown, note, pins);
  if (!head.ok) return none(head.reason, 'the head is not signed by the log');
  const { size, board, origin, log, pinned, cosigners } = head.value;
  const files = await filesIn(folder);
  // A head can claim any size: nothing is set up for more than there is.
  if (files.length * TILE_WIDTH < size) {
    return none('layout', 'most of the entries are missing');
  }
  const all = pieces(size);
  const others = startThreads(folder, all.length, threads);
  const scanning = scanLog(folder, size, faults);
  const walk = beginWalk(faults);
  const roots: Uint8Array[] = [];
  let rest: Uint8Array[] = [];
  const known = scanning.then(({ keys: { table }, removed }) => {
    return { board, table, removed };
  });
  for await (const report of checkTiles(folder, all, known, others)) {
    walkTile(walk, report);
    const full = all[report.n]?.width === TILE_WIDTH;
    if (full) roots.push(report.roots[0] ?? new Uint8Array());
    else rest = report.roots;
    onProgress(Math.min((report.n + 1) * TILE_WIDTH, size), size);
  }
  const scan = await scanning;
  checkIdentities(scan.others, log, faults);
  checkTargets(walk, scan.others);
  await checkTree(folder, head.value, roots, rest, faults);
  const keys = fileOf([...scan.keys.agents.values()].map(keyLine));
  if ((await textIn(folder, KEYS)) !== keys) {
    addFault(faults, 'keys', null, `${KEYS} differs from the log`);
  }
  const summary = summaryOf(head.value, walk, scan, shown);
  if (text !== fileOf([JSON.stringify(summary)])) {
    addFault(faults, 'summary', null, `${SUMMARY} differs from the log`);
  }
  const { messages, signed } = walk.counts;
  const { removed, agents } = summary;
  const strangers = strangersAmong(files, size);
  const counted = { board, origin, size, messages, signed, removed, agents };
  const trust = { until: walk.until, pinned, cosigners, strangers };
  return { bundle: { ...counted, ...trust }, faults };
}
