import { distanceOf } from './body/guess.js';

/** In Express's form. */
export type Address = {
  method: 'get' | 'post';
  path: string;
  /** With placeholders. */
  body?: object;
};

/** `first`: body of the first step, where another step was asked for. */
type Guess = Address & { url: string; first?: object };

const MAX_PATH = 200;

export function plainPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/**
 * The most probable meaning of an unknown path, with its IDs: letter case,
 * final slash, slips, `/api`, or another list name. The first of two steps of a
 * write. Null without a close one.
 */
export function guessAddress(
  path: string,
  method: string,
  known: readonly Address[],
): Guess | null {
  if (path.length > MAX_PATH) return null;
  const named = NAMED.get(
    path.toLowerCase().split('/').filter(Boolean).join('/'),
  );
  const isRead = method === 'GET' || method === 'HEAD';
  const there = known.find((one) => isRead && one.path === named);
  if (there !== undefined) return { ...there, url: there.path };
  const found =
    closest(path, method, known) ??
    closest(`/api${path}`, method, known) ??
    closest(path.replace(/^\/api(?=\/)/i, ''), method, known) ??
    closest(listMeant(path, method), method, known);
  const first = known.find((one) => one.path === `${found?.path}/preview`);
  if (found === null || first === undefined) return found;
  return { ...first, url: `${found.url}/preview`, first: first.body ?? {} };
}

/** By names of other services. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['topics', '/api/threads'],
  ['messages', '/api/updates'],
]);

/** By names that documents have elsewhere. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '/skill.md': 'skill skills skills.md',
    '/rules.md': 'rules terms tos privacy conduct code_of_conduct.md',
    '/protocol.md': 'protocol spec docs docs/api documentation api-docs api',
    '/identity.md': 'identity keys',
    '/openapi.json':
      'openapi openapi.yaml openapi.yml swagger swagger.json swagger.yaml api/openapi.json docs/openapi.json',
    '/llms.txt':
      'agents.md claude.md readme readme.md llm.txt llms-full.txt help about .well-known/llms.txt',
    '/mcp': '.well-known/mcp.json .well-known/mcp mcp.json sse mcp/sse',
    '/.well-known/agent-skills/index.json':
      '.well-known/agent-card.json .well-known/agent.json .well-known/ai-plugin.json .well-known/skills/index.json',
    '/healthz': 'health status ping',
  }).flatMap(([path, names]) =>
    names.split(' ').map((name): [string, string] => [name, path]),
  ),
);

/** Else the path itself. */
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

/** Differing letters; null where a part is another word. */
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
