import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseLogOrigin } from '../../../protocol/board-name.js';
import { equalBytes, fromUtf8, useDigest } from '../../../protocol/bytes.js';
import {
  type OpenedCheckpoint,
  openCheckpoint,
} from '../../../protocol/checkpoint.js';
import { parseJson } from '../../../protocol/json.js';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import { cosignersOf } from '../../../protocol/proof.js';
import { ready } from '../../../protocol/signing.js';
import { accepted, refused, type Verdict } from '../../../protocol/verdict.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { nativeDigest } from '../native-digest.js';
import { logKeyOf, NO_PINS, type Pins } from '../pins.js';
import { bytesIn, checkTile } from './check-tile.js';
import { addFault, type FaultStep, type Faults, noFaults } from './faults.js';
import {
  BUNDLE_FORMAT,
  bundleFiles,
  CHECKPOINT,
  entryTileFile,
  KEYS,
  pieces,
  README,
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

/** Whole where there are no faults. */
export type CheckedBundle = {
  board: string;
  origin: string;
  size: number;
  messages: number;
  signed: number;
  removed: number;
  agents: number;
  /** Time of the last entry, in ms. */
  until: number;
  pinned: boolean;
  cosigners: string[];
  strangers: string[];
};
export type BundleVerdict = { bundle: CheckedBundle | null; faults: Faults };

export type BundleOptions = {
  pins?: Pins;
  onProgress?: (done: number, size: number) => void;
};

async function scanLog(folder: string, size: number, faults: Faults) {
  const scan = emptyScan();
  for (const piece of pieces(size)) {
    const bytes = await bytesIn(folder, entryTileFile(piece));
    if (bytes === null) continue; // its own check says so
    scanTile(scan, bytes, piece.n * TILE_WIDTH, faults);
  }
  return scan;
}

/** Its root is the signed one. */
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

/** Offline; writes nothing. */
export async function verifyBundle(
  folder: string,
  { pins = NO_PINS, onProgress = () => {} }: BundleOptions = {},
): Promise<BundleVerdict> {
  useDigest(nativeDigest);
  await ready();
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
  // A head can claim any size.
  if (files.length * TILE_WIDTH < size) {
    return none('layout', 'most of the entries are missing');
  }
  const all = pieces(size);
  const scan = await scanLog(folder, size, faults);
  const walk = beginWalk(faults);
  const roots: Uint8Array[] = [];
  let rest: Uint8Array[] = [];
  const known = { board, table: scan.keys.table, removed: scan.removed };
  for (const piece of all) {
    const report = await checkTile(folder, piece, known);
    walkTile(walk, report);
    if (piece.width === TILE_WIDTH)
      roots.push(report.roots[0] ?? new Uint8Array());
    else rest = report.roots;
    onProgress(Math.min((report.n + 1) * TILE_WIDTH, size), size);
  }
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
  const own = new Set([README, ...bundleFiles(size)]);
  const strangers = files.filter((name) => !own.has(name)).sort();
  const counted = { board, origin, size, messages, signed, removed, agents };
  const trust = { until: walk.until, pinned, cosigners, strangers };
  return { bundle: { ...counted, ...trust }, faults };
}

/** Null without valid UTF-8. */
async function textIn(folder: string, name: string): Promise<string | null> {
  const bytes = await bytesIn(folder, name);
  return bytes === null ? null : fromUtf8(bytes);
}

/** With slashes; empty without the folder. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, {
      recursive: true,
      withFileTypes: true,
    });
    return found
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) =>
        path.relative(folder, path.join(parentPath, name)),
      )
      .map((name) => name.split(path.sep).join('/'));
  } catch {
    return [];
  }
}

type Head = OpenedCheckpoint & {
  board: string;
  log: Vkey;
  pinned: boolean;
  cosigners: string[];
};

/** The shape only. */
function readSummary(text: string): Summary | null {
  const json = parseJson(text) as Partial<Summary> | null;
  const known =
    json?.format === BUNDLE_FORMAT &&
    typeof json.origin === 'string' &&
    typeof json.log_vkey === 'string';
  return known ? (json as Summary) : null;
}

/** By the pinned log key, or the bundle's own. */
function openHead(
  { origin, log_vkey }: Summary,
  note: string,
  pins: Pins,
): Verdict<Head, 'log_pin' | 'checkpoint'> {
  const trusted = logKeyOf(pins, origin, log_vkey);
  if (!trusted.ok) return trusted;
  const { key: log, pinned } = trusted.value;
  const board = parseLogOrigin(origin)?.name;
  const opened = openCheckpoint(note, log);
  const cosigners = cosignersOf(note, pins.cosigners);
  if (board === undefined || !opened.ok || cosigners === null) {
    return refused('checkpoint');
  }
  return accepted({ ...opened.value, board, log, pinned, cosigners });
}
