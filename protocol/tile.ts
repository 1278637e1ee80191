import { concat, u16be } from './bytes.js';
import { TILE_WIDTH } from './limits.js';
import { accepted, refused, type Verdict } from './verdict.js';

export type TileLevel = number | 'entries';
/** `width` 256 is a full tile, 1..255 a partial one. */
export type Tile = { level: TileLevel; n: number; width: number };

/**
 * After `tile/` (C2SP tlog-tiles): `0/x001/234.p/5`, `entries/000`. Groups of
 * three digits, all but the last with an `x`.
 */
export function tilePath(level: TileLevel, n: number, width: number): string {
  const digits = String(n);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const number = padded.replace(/\d{3}(?=\d)/g, 'x$&/');
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `${level}/${number}${partial}`;
}

/** Accepts exactly what `tilePath` writes, for levels 0..63 and `entries`. */
export function parseTilePath(path: string): Verdict<Tile, 'bad_path'> {
  const match =
    /^(entries|\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(
      path,
    );
  if (match === null) return refused('bad_path');
  const [, name = '', number = '', partial] = match;
  const level = name === 'entries' ? name : Number(name);
  const n = Number(number.replace(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const inside = Number.isSafeInteger(n) && width >= 1 && width <= TILE_WIDTH;
  const canonical = tilePath(level, n, width) === path;
  if (!inside || !canonical || (level !== 'entries' && level > 63)) {
    return refused('bad_path');
  }
  return accepted({ level, n, width });
}

/** For numbers without zeros or `x`, such as `entries/0.p/15`; else null. */
export function paddedTilePath(path: string): string | null {
  const match =
    /^(entries|\d{1,2})\/((?:x?\d{1,3}\/){0,5}\d{1,15})(\.p\/\d{1,3})?$/.exec(
      path,
    );
  if (match === null) return null;
  const [, level = '', number = '', partial = ''] = match;
  const groups = number.replaceAll('x', '').split('/');
  const digits = groups.map((group, at) =>
    at === 0 ? group : group.padStart(3, '0'),
  );
  const n = Number(digits.join(''));
  const full = `${tilePath('entries', n, TILE_WIDTH).replace('entries', level)}${partial}`;
  return full !== path && parseTilePath(full).ok ? full : null;
}

/** `u16be(length) ‖ leaf` each; leaves MUST be under 65,536 bytes. */
export function encodeEntryBundle(leaves: Uint8Array[]): Uint8Array {
  return concat(...leaves.flatMap((leaf) => [u16be(leaf.length), leaf]));
}

/** Refuses more than 256 leaves and trailing bytes. */
export function decodeEntryBundle(
  bytes: Uint8Array,
): Verdict<Uint8Array[], 'bad_bundle'> {
  const leaves: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    const end = at + 2 + length;
    if (end > bytes.length || leaves.length === TILE_WIDTH) {
      return refused('bad_bundle');
    }
    leaves.push(bytes.slice(at + 2, end));
    at = end;
  }
  return accepted(leaves);
}
