import type { LimitName } from '../../server/limits.js';
import type { Description, Exchange } from '../../test/support/conforms.js';

type Refused = { error: string; scope: LimitName; retry_after_seconds: number };

/** What a 429 names; null for a page, and for a HEAD, which has no body. */
export function refusedBy(answer: Exchange): Refused | null {
  const { method, headers, text } = answer;
  const isPage = headers['content-type']?.startsWith('text/html') === true;
  if (method === 'HEAD' || isPage) return null;
  // A refusal of /mcp is an error of JSON-RPC.
  const json = JSON.parse(text) as Refused & { error: { data?: Refused } };
  return json.error.data ?? json;
}

/** Of a 429 (§1.7): the operation names its limit; headers no other. */
export function limitProblems(
  description: Description,
  limits: Partial<Record<LimitName, number>>,
  answer: Exchange,
): string[] {
  const problems: string[] = [];
  const { method, path, headers } = answer;
  const seconds = Number(headers['retry-after']);
  if (!(seconds >= 1)) problems.push(`Retry-After: ${headers['retry-after']}`);
  const refused = refusedBy(answer);
  const met = description.at(method === 'HEAD' ? 'GET' : method, path);
  if (refused === null || met === null) return problems;
  const { scope } = refused;
  const named =
    description.document.paths[met.path]?.[met.method]?.['x-limits'];
  if (!named?.includes(scope)) problems.push(`${scope} is not its limit`);
  const told = headers.ratelimit;
  const policy = headers['ratelimit-policy'];
  if (told === undefined && policy === undefined) return problems;
  if (told !== `"${scope}";r=0;t=${seconds}`) {
    problems.push(`RateLimit: ${told}`);
  }
  const [, quota, window] = /^"\w+";q=(\d+);w=(\d+)$/.exec(policy ?? '') ?? [];
  const isOwn = policy?.startsWith(`"${scope}";`) === true;
  if (!isOwn || Number(quota) !== limits[scope] || seconds > Number(window)) {
    problems.push(`RateLimit-Policy: ${policy}`);
  }
  return problems;
}
