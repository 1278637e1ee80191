import { fromUtf8, utf8 } from '../../../protocol/bytes.js';
import { type Entry, parseEntry } from '../../../protocol/entry.js';
import { decodeEntryBundle } from '../../../protocol/tile.js';
import { addFault, type Faults } from './faults.js';
import { type LogKeys, noKeys, takeKeyEntry } from './key-table.js';

const POST = utf8('reserve-board/entry/v1\ntype post\n');

/** An entry that is no post, with its place. */
export type PlacedEntry = {
  index: number;
  entry: Exclude<Entry, { type: 'post' }>;
};

/** What has to be known of a log before its posts can be judged. */
export type Scan = {
  others: PlacedEntry[];
  keys: LogKeys;
  /** Messages whose text is gone at the end of the log. */
  removed: Set<number>;
};

export function emptyScan(): Scan {
  return { others: [], keys: noKeys(), removed: new Set() };
}

function isPost(leaf: Uint8Array): boolean {
  if (leaf.length < POST.length) return false;
  for (let at = 0; at < POST.length; at += 1) {
    if (leaf[at] !== POST[at]) return false;
  }
  return true;
}

/** Takes the entries of one tile, in order; posts are passed over. */
export function scanTile(
  scan: Scan,
  bytes: Uint8Array,
  first: number,
  faults: Faults,
): void {
  const leaves = decodeEntryBundle(bytes);
  if (!leaves.ok) return; // the tile's own check says so
  for (const [at, leaf] of leaves.value.entries()) {
    if (!isPost(leaf)) scanEntry(scan, leaf, first + at, faults);
  }
}

function scanEntry(
  scan: Scan,
  leaf: Uint8Array,
  index: number,
  faults: Faults,
): void {
  const parsed = parseEntry(fromUtf8(leaf) ?? '');
  if (!parsed.ok) {
    addFault(faults, 'entry', index, 'an entry is not well formed');
    return;
  }
  const entry = parsed.value;
  if (entry.type === 'unknown' || entry.type === 'post') return;
  scan.others.push({ index, entry });
  if (entry.type === 'key') takeKeyEntry(scan.keys, entry, index, faults);
  if (entry.type === 'remove') scan.removed.add(entry.id);
  if (entry.type === 'decision' && entry.action === 'reinstate') {
    scan.removed.delete(entry.id);
  }
}
