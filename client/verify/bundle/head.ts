import { parseLogOrigin } from '../../../protocol/board-name.js';
import {
  type OpenedCheckpoint,
  openCheckpoint,
} from '../../../protocol/checkpoint.js';
import { openNote } from '../../../protocol/note.js';
import { accepted, refused, type Verdict } from '../../../protocol/verdict.js';
import { formatVkey, type Vkey } from '../../../protocol/vkey.js';
import { type Pins, pinOf, readPin } from '../pins.js';
import { BUNDLE_FORMAT, type Summary } from './layout.js';

/** The signed head of a bundle, and who vouches for it. */
export type Head = OpenedCheckpoint & {
  board: string;
  log: Vkey;
  pinned: boolean;
  /** Names of the pinned cosigners that signed it. */
  cosigners: string[];
};

/** The shape of `bundle.json`; whether it is true is checked at the end. */
export function readSummary(text: string): Summary | null {
  try {
    const json = JSON.parse(text) as Partial<Summary> | null;
    const known =
      json?.format === BUNDLE_FORMAT &&
      typeof json.origin === 'string' &&
      typeof json.log_vkey === 'string';
    return known ? (json as Summary) : null;
  } catch {
    return null;
  }
}

/** Opens the checkpoint with the pinned log key, or with the bundle's own. */
export function openHead(
  { origin, log_vkey }: Summary,
  note: string,
  pins: Pins,
): Verdict<Head, 'log_pin' | 'checkpoint'> {
  const pin = pinOf(pins, origin);
  if (pin === null && pins.logs.length > 0) return refused('log_pin');
  const log = pin ?? readPin(log_vkey);
  const name = parseLogOrigin(origin)?.name;
  if (log === null || name === undefined || formatVkey(log) !== log_vkey) {
    return refused('checkpoint');
  }
  const opened = openCheckpoint(note, log);
  const known = openNote(note, [log, ...pins.cosigners]);
  if (!opened.ok || !known.ok) return refused('checkpoint');
  const cosigners = known.value.verified
    .filter((vkey) => vkey !== log)
    .map((vkey) => vkey.name);
  return accepted({
    ...opened.value,
    board: name,
    log,
    pinned: pin !== null,
    cosigners,
  });
}
