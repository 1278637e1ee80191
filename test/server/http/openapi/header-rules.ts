import type { Test } from 'supertest';
import { PARTICIPATION } from '../../../../server/http/headers.js';
import type { LimitName } from '../../../../server/limits.js';
import { type OpenApi, resolved } from '../../../support/described.js';
import { isAsset, isTile } from './declared.js';
import { BOUNDLESS } from './furnished.js';

export type Answer = Awaited<Test>;

const JSON_TYPE = 'application/json; charset=utf-8';
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const REVALIDATE = 'public, max-age=0, must-revalidate';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** On every answer (spec/operators.md §R6.3; spec/board.md §1.7). */
export const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** The names that an answer may have, but for those of `ALWAYS`. */
const OTHERS = [
  ...['permissions-policy', 'cross-origin-resource-policy', 'date'],
  ...['access-control-allow-origin', 'cache-control', 'connection', 'etag'],
  ...['content-type', 'content-length', 'keep-alive', 'allow'],
  ...['x-board-participation', 'retry-after', 'transfer-encoding', 'vary'],
  ...['link', 'ratelimit', 'ratelimit-policy', 'content-encoding'],
  ...['content-security-policy', 'location'],
  'access-control-expose-headers',
];

const EXPOSED =
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Board-Participation';

/**
 * What spec/board.md §1.7 names: messages, requests, updates, stats,
 * usefulness, reports, moderation; the content of a log entry is a message, and
 * health is of this moment.
 */
const NEVER_STORED =
  /\/updates$|\/messages\/\{id\}$|^\/api\/(?:requests|stats|usefulness|reports|moderation|(?:mesh\/)?inbox|budgets)\b|^\/(?:log|mirror\/\{hash\})\/(?:feed|content)$|^\/(?:healthz|readyz|report)$|^\/report\/\{uuid\}$/;

export const isHtml = ({ headers }: Answer) =>
  headers['content-type']?.startsWith('text/html') ?? false;

let checked = 0;

export const headersChecked = (): number => checked;

/** Of any answer; `publicRead`: other sites may; `page`: for people. */
export function checkHeaders(
  answer: Answer,
  at: string,
  publicRead: boolean,
  page = isHtml(answer),
): void {
  checked += 1;
  const { headers } = answer;
  expect(headers, at).to.include({
    ...ALWAYS,
    'content-security-policy': page ? PAGE_POLICY : DATA_POLICY,
    'cross-origin-resource-policy':
      publicRead && !page ? 'cross-origin' : 'same-origin',
  });
  expect(headers['permissions-policy'], at).to.match(/^[a-z-]+=\(\)(, |$)/);
  expect(headers['permissions-policy'], at).not.to.match(/=\([^)]/);
  expect(headers['access-control-allow-origin'], at).to.equal(
    publicRead ? '*' : undefined,
  );
  expect(headers['access-control-expose-headers'], at).to.equal(
    publicRead ? EXPOSED : undefined,
  );
  const known = [...Object.keys(ALWAYS), ...OTHERS];
  expect(known, at).to.include.members(Object.keys(headers));
}

export function checkRefusal(answer: Answer, at: string, read: boolean): void {
  checkHeaders(answer, at, read);
  const { headers } = answer;
  expect(headers['cache-control'], at).to.equal('no-store');
  expect(headers, at).not.to.have.any.keys('etag', 'x-board-participation');
  expect(headers['content-type'], at).to.equal(JSON_TYPE);
}

/** What an answer of 200 says of its keeping and of how to take part. */
export function checkKept(
  answer: Answer,
  route: string,
  document: OpenApi,
): void {
  const { headers } = answer;
  const responses = document.paths[route]?.get?.responses ?? {};
  // spec/board.md §1.7
  const ok = responses[200] && resolved(document, responses[200]).headers;
  const invites =
    ok?.['X-Board-Participation'] !== undefined &&
    headers['content-type'] !== JSON_TYPE;
  expect(headers['x-board-participation'], route).to.equal(
    invites ? PARTICIPATION : undefined,
  );
  const isKept = !NEVER_STORED.test(route);
  expect('304' in responses, route).to.equal(isKept);
  if (!isKept) {
    expect(headers['cache-control'], route).to.equal('no-store');
    expect(headers, route).not.to.have.property('etag');
    return;
  }
  const isHashed = isAsset(route) && route !== '/favicon.ico';
  const byContent = isTile(route) || isHashed || /sha256/.test(route);
  expect(headers['cache-control'], route).to.equal(
    byContent ? IMMUTABLE : REVALIDATE,
  );
  expect(headers.etag, route).to.match(/^(?:W\/)?"[^"]{16,}"$/);
}

/** Each limit that a read declares is named, board and mesh aside. */
export function checkLimits(
  { headers }: Answer,
  route: string,
  spends: readonly LimitName[],
): void {
  const own = spends.filter((name) => /^(?!mesh_|waits_)/.test(name));
  const policies = own.map((name) => {
    const seconds = name.endsWith('_hour') ? 3600 : 60;
    return `"${name}";q=${BOUNDLESS[name]};w=${seconds}`;
  });
  const policy = headers['ratelimit-policy'] ?? '';
  expect(policy, route).to.equal(policies.join(', '));
  const left = (headers.ratelimit ?? '').match(/(?<=")\w+(?=";r=\d)/g);
  expect(left ?? [], route).to.deep.equal(own);
}
