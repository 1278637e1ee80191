import { fromUtf8, utf8 } from '../../../protocol/bytes.js';
import { type Entry, parseEntry } from '../../../protocol/entry.js';
import { addFault, type Faults } from './faults.js';
import { noKeys, takeKeyEntry } from './key-table.js';

const POST = utf8('reserve-board/entry/v1\ntype post\n');

export type PlacedEntry = {
  index: number;
  entry: Exclude<Entry, { type: 'post' }>;
};

/** `removed`: messages without text at the end of the log. */
export type Scan = ReturnType<typeof emptyScan>;

export function emptyScan() {
  const others: PlacedEntry[] = [];
  return { others, keys: noKeys(), removed: new Set<number>() };
}

function isPost(bytes: Uint8Array, from: number, until: number): boolean {
  if (until - from < POST.length) return false;
  for (let at = 0; at < POST.length; at += 1) {
    if (bytes[from + at] !== POST[at]) return false;
  }
  return true;
}

/** A damaged tile ends early: its own check reports it. */
export function scanTile(
  scan: Scan,
  bytes: Uint8Array,
  first: number,
  faults: Faults,
): void {
  let index = first;
  for (let at = 0; at + 2 <= bytes.length; index += 1) {
    const from = at + 2;
    at = from + (((bytes[from - 2] ?? 0) << 8) | (bytes[from - 1] ?? 0));
    if (!isPost(bytes, from, at)) {
      scanEntry(scan, bytes.subarray(from, at), index, faults);
    }
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
