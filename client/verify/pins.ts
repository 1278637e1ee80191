import { parseLogOrigin } from '../../protocol/board-name.js';
import { isAcceptableKey } from '../../protocol/signing.js';
import { accepted, refused, type Verdict } from '../../protocol/verdict.js';
import {
  COSIGNATURE,
  ED25519,
  formatVkey,
  parseVkey,
  type Vkey,
} from '../../protocol/vkey.js';

/** Trusted keys, received by another way than the proof. */
export type Pins = { logs: Vkey[]; cosigners: Vkey[] };

export const NO_PINS: Pins = { logs: [], cosigners: [] };

/** Null for another type or a weak key. */
export function readPin(text: string): Vkey | null {
  const vkey = parseVkey(text.trim());
  if (!vkey.ok || !isAcceptableKey(vkey.value.publicKey)) return null;
  const { type, name } = vkey.value;
  const isLog = type === ED25519 && parseLogOrigin(name) !== null;
  return isLog || type === COSIGNATURE ? vkey.value : null;
}

/**
 * One per item: type 0x01 logs, 0x04 cosigners. Skips empty items and those
 * with `#`. Needs `ready`.
 */
export function readPins(items: readonly string[]): Verdict<Pins, 'bad_vkey'> {
  const pins: Pins = { logs: [], cosigners: [] };
  for (const item of items) {
    if (item.trim() === '' || item.startsWith('#')) continue;
    const vkey = readPin(item);
    if (vkey === null) return refused('bad_vkey');
    (vkey.type === ED25519 ? pins.logs : pins.cosigners).push(vkey);
  }
  return accepted(pins);
}

export function pinOf({ logs }: Pins, origin: string): Vkey | null {
  return logs.find(({ name }) => name === origin) ?? null;
}

/** Its pin, or its own key where no log is pinned. */
export function logKeyOf(
  pins: Pins,
  origin: string,
  shown: string,
): Verdict<{ key: Vkey; pinned: boolean }, 'log_pin' | 'checkpoint'> {
  const pin = pinOf(pins, origin);
  if (pin === null && pins.logs.length > 0) return refused('log_pin');
  const key = pin ?? readPin(shown);
  return key !== null && formatVkey(key) === shown
    ? accepted({ key, pinned: pin !== null })
    : refused('checkpoint');
}
