import { parseLogOrigin } from '../../../protocol/board-name.js';
import {
  type OpenedCheckpoint,
  openCheckpoint,
} from '../../../protocol/checkpoint.js';
import { parseJson } from '../../../protocol/json.js';
import { cosignersOf } from '../../../protocol/proof.js';
import { accepted, refused, type Verdict } from '../../../protocol/verdict.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { logKeyOf, type Pins } from '../pins.js';
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
  const json = parseJson(text) as Partial<Summary> | null;
  const known =
    json?.format === BUNDLE_FORMAT &&
    typeof json.origin === 'string' &&
    typeof json.log_vkey === 'string';
  return known ? (json as Summary) : null;
}

/** Opens the checkpoint with the pinned log key, or with the bundle's own. */
export function openHead(
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
