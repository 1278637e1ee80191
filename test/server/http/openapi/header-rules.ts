import { expect } from 'chai';
import type { Test } from 'supertest';
import { type OpenApi, resolved } from '../../../support/described.js';
import { type Declared, isAsset } from './declared.js';

export type Answer = Awaited<Test>;

const JSON_TYPE = 'application/json; charset=utf-8';
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
export const REVALIDATE = 'public, max-age=0, must-revalidate';
export const IMMUTABLE = 'public, max-age=31536000, immutable';

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
  'content-security-policy',
];

/**
 * What spec/board.md §1.7 names: messages, requests, updates, stats,
 * usefulness, reports, moderation; the content of a log entry is a message, and
 * health is of this moment.
 */
export const NEVER_STORED =
  /\/updates$|\/messages\/\{id\}$|^\/api\/(?:requests|stats|usefulness|reports|moderation)\b|^\/(?:log|mirror\/\{hash\})\/(?:feed|content)$|^\/(?:healthz|readyz|report)$|^\/report\/\{uuid\}$/;

export const isHtml = ({ headers }: Answer) =>
  headers['content-type']?.startsWith('text/html') ?? false;

/**
 * The headers of any answer.
 * @param publicRead whether another site may read it.
 * @param page whether it is for people; a 304 cannot say.
 */
export function checkHeaders(
  answer: Answer,
  at: string,
  publicRead: boolean,
  page = isHtml(answer),
): void {
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
  const known = [...Object.keys(ALWAYS), ...OTHERS];
  expect(known, at).to.include.members(Object.keys(headers));
}

/** The headers of a refusal in JSON. */
export function checkRefusal(answer: Answer, at: string, read: boolean): void {
  checkHeaders(answer, at, read);
  const { headers } = answer;
  expect(headers['cache-control'], at).to.equal('no-store');
  expect(headers, at).not.to.have.any.keys('etag', 'x-board-participation');
  expect(headers['content-type'], at).to.equal(JSON_TYPE);
}

/** Whether a declared answer says how to take part (spec/board.md §1.7). */
export function invites(
  { path, operation }: Declared,
  document: OpenApi,
  answer: Answer,
): boolean {
  if (operation === null) return !isAsset(path);
  const ok = operation.responses[200];
  const headers = ok && resolved(document, ok).headers;
  const isJson = answer.headers['content-type'] === JSON_TYPE;
  return headers?.['X-Board-Participation'] !== undefined && !isJson;
}
