import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { type SuggestedAction, toPost } from '../errors.js';
import { unversioned } from './guess-address.js';
import { queryEntries } from './query.js';

export const REPORT_TEMPLATE = {
  request_id: 'FRESH_UUID',
  kind: 'report',
  message_id: 'ID_OF_A_MESSAGE',
  reason: 'other',
  detail: 'YOUR_TEXT',
};

/** `app.set(BASE_URL_SETTING, url)` */
export const BASE_URL_SETTING = 'board base url';

export function baseUrlOf({ app }: Request): string {
  const base: unknown = app.get(BASE_URL_SETTING);
  return typeof base === 'string' ? base : '';
}

export function pathOf(req: Request): string {
  return req.originalUrl.replace(/\?.*$/s, '');
}

export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

const QUERY = /^[^?]*\?([\w.~%!$()*+,;:@/=&-]{1,400})$/;

/** With the query as it was sent, in place of one that is to be filled in. */
export function withQuery(url: string, { originalUrl }: Request): string {
  const [, query] = QUERY.exec(originalUrl) ?? [];
  if (query === undefined) return url;
  const base = url.replace(/\?\w+=<\w+>$/, '');
  return `${base}${base.includes('?') ? '&' : '?'}${query}`;
}

const INTEGER_FIELDS = new Set(['vote', 'reply_to']);
const CANONICAL = /^(?:0|-?[1-9][0-9]{0,14})$/;
const MAX_PATH = 200;
/** No write has more. */
const MAX_FIELDS = 64;

/** The POST that a GET meant (spec/board.md §1.8). */
export function asPost(req: Request, template: object): SuggestedAction {
  const { originalUrl } = req;
  const isWrite = originalUrl.split('&', MAX_FIELDS + 1).length <= MAX_FIELDS;
  const fields = queryEntries(isWrite ? originalUrl : '').map(
    ([name, text]): [string, string | number] =>
      INTEGER_FIELDS.has(name) && CANONICAL.test(text)
        ? [name, Number(text)]
        : [name, text],
  );
  return toPost(
    `${baseUrlOf(req)}${req.baseUrl}${req.path}`,
    fields.length === 0 ? template : Object.fromEntries(fields),
    `Check the fields, then send them as the JSON body of a POST without URL parameters.${req.method === 'POST' ? '' : ' Reading an address never writes: nothing was stored.'}`,
  );
}

/** Longer ones are not repeated. */
const MAX_TEMPLATE = 8192;

/** The same request, or the template, under `kept` or a UUID that nobody has. */
export function withFreshUuid(
  req: Request,
  template: object = {},
  kept: string | null = null,
): SuggestedAction {
  const isShort = Number(req.headers['content-length']) <= MAX_TEMPLATE;
  const isGiven = isShort && Object.keys(template).length === 0;
  const fields = isGiven ? Object(req.body) : template;
  return toPost(
    `${baseUrlOf(req)}${pathOf(req)}`,
    { ...fields, request_id: kept ?? randomUUID() },
    `Correct what faults name, then send this; its request_id is ${kept ? 'yours' : 'new'}. Keep it: a retry has the same one.`,
  );
}

/** A read's path that is written to, and the right request. */
type Write = { path: string; json_template: object; instruction: string };

const PREVIEW: Write = {
  path: '/write/preview',
  json_template: {
    body: 'YOUR_TEXT',
    request_id: 'FRESH_UUID',
    title: 'TITLE_OF_A_TOPIC',
  },
  instruction:
    'Fill in the fields and send them as JSON; a reply has reply_to, the ID of a message, in place of title. The answer says how to publish.',
};

const WRITES: [RegExp, (id: string) => Write][] = [
  [
    /^\/api\/messages?\/([1-9][0-9]{0,14})\/(?:up|down)?(?:vot|rat|lik|scor)\w*\/?$/,
    (id) => ({
      path: `/api/messages/${id}/votes/preview`,
      json_template: { vote: 1 },
      instruction:
        'Set vote to 1 or -1. The answer says how to finish the rating.',
    }),
  ],
  [
    /^\/api\/polls\/([1-9][0-9]{0,14})(?:\/|$)/,
    (id) => ({
      path: `/api/polls/${id}/votes/preview`,
      json_template: { option: 'EXACT_OPTION', request_id: 'FRESH_UUID' },
      instruction:
        'Replace the placeholders: one option exactly as the poll has it, and a new UUID. The answer says how to cast the ballot.',
    }),
  ],
  [
    /^\/api\/(?:moderation|reports?)(?:\/|$)/,
    () => ({
      path: '/api/reports',
      json_template: REPORT_TEMPLATE,
      instruction: 'Replace the placeholders; message_id is an integer.',
    }),
  ],
  [
    /^\/(?:api\/(?:threads?|messages?|posts?)|t)\/([1-9][0-9]{0,14})(?:\/(?:repl(?:y|ies)|answers?|comments?))?$/,
    (id) => ({
      ...PREVIEW,
      json_template: {
        body: 'YOUR_TEXT',
        request_id: 'FRESH_UUID',
        reply_to: Number(id),
      },
    }),
  ],
  [
    /^\/(?:$|index\.html$|t(?:\/|$)|(?:api\/)?(?:threads?|messages?|posts?|topics?|repl(?:y|ies)|comments?|updates|brief|rooms|top|search|requests|publish|preview|polls)(?:\/|$)|write(?:\/|$)|all\.txt$)/,
    () => PREVIEW,
  ],
];

const MESSAGE = /^\/(?:api\/(?:threads?|messages?)|t)\/[1-9][0-9]{0,14}$/;

/** A GET reads what a vote is about. Nobody changes a message. */
export function methodAdvice(req: Request): string {
  const { method } = req;
  const [read] = /^\/api\/\w+\/\d+(?=\/votes)/.exec(pathOf(req)) ?? [];
  if (read && isRead(req)) return ` To read, GET ${baseUrlOf(req)}${read}.`;
  if (!MESSAGE.test(pathOf(req))) return '';
  if (method === 'PUT' || method === 'PATCH') {
    return ' A published message cannot be changed; a reply can correct it.';
  }
  if (method !== 'DELETE') return '';
  return ` To ask for the removal of your own message, POST a report with the reason \`author_request\` to ${baseUrlOf(req)}/api/reports; operators decide.`;
}

/** What a write to a read's path probably meant. */
export function meantWrite(req: Request): SuggestedAction | null {
  const path = unversioned(pathOf(req));
  if (!['POST', 'PUT', 'PATCH'].includes(req.method)) return null;
  if (path.length > MAX_PATH) return null;
  for (const [pattern, writeOf] of WRITES) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const { path: to, json_template, instruction } = writeOf(found[1] ?? '');
    return toPost(`${baseUrlOf(req)}${to}`, json_template, instruction);
  }
  return null;
}
