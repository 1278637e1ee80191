import { distanceOf } from './body/guess.js';

/** An address that the board has, as Express writes it. */
export type Address = { method: 'get' | 'post'; path: string };

const MAX_PATH = 200;

/**
 * The address that an unknown path most probably means, with the IDs of that
 * path in it: another letter case, a final slash, or a slip of a letter or two
 * in a part of it. Null where none is close.
 */
export function guessAddress(
  path: string,
  method: string,
  known: readonly Address[],
): (Address & { url: string }) | null {
  if (path.length > MAX_PATH) return null;
  const parts = partsOf(path);
  let best: { it: Address; url: string; cost: number } | null = null;
  for (const it of known) {
    const pattern = partsOf(it.path);
    if (pattern.length !== parts.length) continue;
    const cost = costOf(pattern, parts);
    if (cost === null) continue;
    const other = it.method === method.toLowerCase() ? 0 : 0.5;
    if (best !== null && best.cost <= cost + other) continue;
    const url = pattern.map((part, at) => (isId(part) ? parts[at] : part));
    best = { it, url: `/${url.join('/')}`, cost: cost + other };
  }
  return best === null ? null : { ...best.it, url: best.url };
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function isId(part: string): boolean {
  return part.startsWith(':');
}

/** Letters that differ; null where a part is another word. */
function costOf(
  pattern: readonly string[],
  parts: readonly string[],
): number | null {
  let cost = 0;
  for (const [at, part] of pattern.entries()) {
    if (isId(part)) continue;
    const distance = distanceOf(part, (parts[at] ?? '').toLowerCase());
    if (distance > (part.length < 6 ? 1 : 2)) return null;
    cost += distance;
  }
  return cost;
}
