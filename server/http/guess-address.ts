import { distanceOf } from './body/guess.js';

/** An address that the board has, as Express writes it. */
export type Address = {
  method: 'get' | 'post';
  path: string;
  /** A body of the POST with placeholders. */
  body?: object;
};

/** `first`: the body of the first step, where another one was asked for. */
type Guess = Address & { url: string; first?: object };

const MAX_PATH = 200;

/** A path without slashes too many. */
export function plainPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/**
 * The address that an unknown path most probably means, with the IDs of that
 * path in it: another letter case, a final slash, a slip of a letter or two
 * in a part of it, `/api` left out or too much, or a list by another name. Where
 * a write takes two steps it is the first of them. Null where none is close.
 */
export function guessAddress(
  path: string,
  method: string,
  known: readonly Address[],
): Guess | null {
  if (path.length > MAX_PATH) return null;
  const found =
    closest(path, method, known) ??
    closest(`/api${path}`, method, known) ??
    closest(path.replace(/^\/api(?=\/)/i, ''), method, known) ??
    closest(listMeant(path, method), method, known);
  const first = known.find((one) => one.path === `${found?.path}/preview`);
  if (found === null || first === undefined) return found;
  return { ...first, url: `${found.url}/preview`, first: first.body ?? {} };
}

/** Lists by the names that other services have for them. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['topics', '/api/threads'],
  ['messages', '/api/updates'],
]);

/** The list that a read of an unknown one means; else the path itself. */
function listMeant(path: string, method: string): string {
  const [, name = ''] = /^\/(?:api\/)?(\w+)\/?$/.exec(path) ?? [];
  const isRead = method === 'GET' || method === 'HEAD';
  return (isRead ? LISTS.get(name.toLowerCase()) : undefined) ?? path;
}

function closest(
  path: string,
  method: string,
  known: readonly Address[],
): Guess | null {
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
