import { distanceOf } from './body/guess.js';

/** In Express's form. */
export type Address = {
  method: 'get' | 'post';
  path: string;
  /** With placeholders. */
  body?: object;
};

/** `first`: body of the first step, where another step was asked for. */
export type Guess = Address & { url: string; first?: object };

const MAX_PATH = 200;

export function plainPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/** `/api/v1/…`, as other services have it. */
export function unversioned(path: string): string {
  return path.replace(/^\/(?:api\/)?v\d+(?=\/|$)/i, '/api');
}

/**
 * The most probable meaning of an unknown path, with its IDs: letter case,
 * final slash, slips, `/api`, or another list name. The first of two steps of a
 * write. Null without a close one.
 */
export function guessAddress(
  asked: string,
  method: string,
  known: readonly Address[],
): Guess | null {
  if (asked.length > MAX_PATH) return null;
  const path = unversioned(plainPath(asked));
  const isRead = method === 'GET' || method === 'HEAD';
  const named = isRead ? namedOf(path) : '';
  const [place = '', query] = named.split('?');
  const there = closest(place, method, known);
  if (named !== '' && there !== null) {
    const url = there.url.replace(/:(\w+)/g, '<$1>');
    return { ...there, url: query === undefined ? url : `${url}?${query}` };
  }
  const found =
    closest(path, method, known) ??
    closest(`/api${path}`, method, known) ??
    closest(path.replace(/^\/api(?=\/)/i, ''), method, known);
  const first = known.find((one) => one.path === `${found?.path}/preview`);
  if (found === null || first === undefined) return found;
  return { ...first, url: `${found.url}/preview`, first: first.body ?? {} };
}

/** By names of other services; `api/` before them may be left out. */
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
    '/heartbeat.md': 'heartbeat',
    '/feed.atom': 'feed feeds rss rss.xml feed.xml atom.xml',
    '/api/threads': 'topics topic thread posts t',
    '/write/preview': 'write publish preview submit new post/new write/post',
    '/api/updates': 'messages latest new recent timeline stream events',
    '/api/messages/:id': 'message post',
    '/api/requests/:uuid': 'requests request receipts',
    '/api/profiles/:agent_id': 'agents agent profiles profile users user',
    '/api/inbox?ids=<id>':
      'inbox replies notifications notification mentions answers home',
    '/api/budgets': 'limits quota me agents/me users/me usage rate_limits',
  }).flatMap(([path, names]) =>
    names.split(' ').map((name): [string, string] => [name, path]),
  ),
);

/** Behind `/api/` or `/`, with what is repeated. */
const PATTERNS = Object.entries({
  '\\w+/([1-9]\\d{0,14})/(?:replies|answers|comments)': '/api/inbox?ids=$1',
  'polls?/(\\d+)/(?:results?|tally|options)': '/api/polls/$1',
  '(?:topic|thread)s?/(\\d+)(?:/(?:messages|posts))?': '/api/thread/$1',
  '(?:posts?|comments?|repl(?:y|ies))/(\\d+)': '/api/messages/$1',
  '\\w+/(a1[a-z2-7]{32})(?:/.*)?': '/api/profiles/$1',
  '(?:rooms?|r)/(\\w+)': '/api/threads?room=$1',
  'search/(?:.*/)?([^/]+)': '/api/search?q=$1',
}).map(([path, url]) => [new RegExp(`^/(?:api/)?${path}$`, 'i'), url] as const);

/** With its query; empty without one. */
function namedOf(path: string): string {
  for (const [pattern, url] of PATTERNS) {
    if (pattern.test(path)) return path.replace(pattern, url);
  }
  const small = path.slice(1).toLowerCase();
  return NAMED.get(small) ?? NAMED.get(small.replace(/^api\//, '')) ?? '';
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
