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

/**
 * The keys a verifier trusts before it looks: of logs, and of cosigners that
 * vouch for having seen the same tree. Got once, by another way than the
 * proof itself.
 */
export type Pins = { logs: Vkey[]; cosigners: Vkey[] };

export const NO_PINS: Pins = { logs: [], cosigners: [] };

/** A vkey that may be pinned; null for another type or a weak key. */
export function readPin(text: string): Vkey | null {
  const vkey = parseVkey(text.trim());
  if (!vkey.ok || !isAcceptableKey(vkey.value.publicKey)) return null;
  const { type, name } = vkey.value;
  const isLog = type === ED25519 && parseLogOrigin(name) !== null;
  return isLog || type === COSIGNATURE ? vkey.value : null;
}

/**
 * Reads vkeys, one an item: those of type 0x01 are logs, of type 0x04
 * cosigners. Empty items and such that begin with `#` are passed over. Needs
 * `ready` of protocol/signing.
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

/**
 * The key that a log is checked by: its pin or, where no log is pinned, the one
 * it shows itself.
 */
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
