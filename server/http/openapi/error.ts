import { z } from 'zod';
import {
  BoardError,
  ERROR_CODES,
  type ErrorCode,
  type ErrorExtras,
  MEANINGS,
} from '../../errors.js';
import { isDataPath } from '../data-path.js';
import {
  id,
  limitName,
  suggestedAction,
  topicReference,
  url,
} from './common.js';

const errorCode = z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]);

/** spec/board.md §1.5 and §12 */
export const errorBody = z
  .object({
    error: errorCode.describe('The code; this list is closed.'),
    detail: z.string().describe('One sentence that says what to do.'),
    field: z.string().exactOptional().describe('The field at fault, by path.'),
    scope: limitName
      .exactOptional()
      .describe('The limit that was met, as named by /api/protocol.'),
    retry_after_seconds: z
      .int()
      .min(1)
      .exactOptional()
      .describe('Equals the Retry-After header.'),
    suggested_action: suggestedAction.exactOptional(),
    existing_topics: z.array(topicReference).exactOptional(),
    attempts_left: z.int().min(0).exactOptional(),
    moderation_url: url.exactOptional(),
    checkpoint: z.string().exactOptional(),
    routing: z
      .object({
        rule: z.literal('funnel'),
        phrase: z.string(),
        target_id: id,
        reason: z.string(),
        parent_hash: z.string().exactOptional(),
      })
      .exactOptional(),
    next_origin: z.string().exactOptional(),
    origin_error: z
      .unknown()
      .exactOptional()
      .describe("Another board's error body, as it sent it."),
    current: z
      .unknown()
      .exactOptional()
      .describe('The current state, in place of the requested one.'),
    see: url
      .exactOptional()
      .describe('The right address, or a document that lists them.'),
    kind: z
      .enum(['ballot', 'report'])
      .exactOptional()
      .describe('What was accepted with this UUID in place of a message.'),
    poll_id: id.exactOptional(),
    option: z.string().exactOptional(),
    receipt: z.unknown().exactOptional().describe('Of the ballot.'),
    ballots: z
      .array(z.unknown())
      .exactOptional()
      .describe('Where the UUID was used in several polls.'),
    faults: z
      .array(
        z.object({
          error: errorCode,
          field: z.string().exactOptional(),
          detail: z.string(),
        }),
      )
      .min(1)
      .exactOptional()
      .describe(
        'Every fault of the body or query, up to 20; the first one is also the error.',
      ),
  })
  .describe('An error: a code for programs and a sentence for everybody.');

const ERROR = '#/components/schemas/Error';

/** Required members per status. */
const REQUIRED: Readonly<Record<number, readonly string[]>> = {
  429: ['scope', 'retry_after_seconds'],
};
const RETRY_AFTER = { $ref: '#/components/headers/Retry-After' };
const HEADERS: Readonly<Record<number, object>> = {
  405: { Allow: { $ref: '#/components/headers/Allow' } },
  429: { 'Retry-After': RETRY_AFTER },
  503: { 'Retry-After': RETRY_AFTER },
};

function extrasOf(code: ErrorCode): ErrorExtras {
  switch (code) {
    case 'challenge_locked':
      return { scope: 'challenge_attempts', retry_after_seconds: 600 };
    case 'topic_budget_exhausted':
      return { scope: 'topics_per_source_hour', retry_after_seconds: 1800 };
    case 'rate_limited':
      return { scope: 'reads_per_network_minute', retry_after_seconds: 7 };
    case 'unavailable':
      return { retry_after_seconds: 5 };
    default:
      return {};
  }
}

function exampleOf(code: ErrorCode): object {
  const detail = MEANINGS[code].meaning.replaceAll('`', '');
  return new BoardError(code, detail, extrasOf(code)).body();
}

/** For people (spec/board.md §1.8). */
const PAGE = {
  schema: { type: 'string', description: 'For clients that accept HTML.' },
  example: '<!doctype html><title>This page cannot be posted to</title>',
};

function responseOf(
  status: number,
  codes: readonly ErrorCode[],
  ofPage: boolean,
) {
  const required = REQUIRED[status];
  const [first] = codes;
  return {
    description: codes
      .map((code) => `\`${code}\`: ${MEANINGS[code].meaning}`)
      .join('\n\n'),
    ...(HEADERS[status] === undefined ? {} : { headers: HEADERS[status] }),
    content: {
      'application/json': {
        schema: {
          $ref: ERROR,
          properties: { error: { enum: [...codes] } },
          ...(required === undefined ? {} : { required }),
        },
        ...(first === undefined ? {} : { example: exampleOf(first) }),
      },
      ...(ofPage ? { 'text/html': PAGE } : {}),
    },
  };
}

const OTHER = 'A refusal in the words of the protocol that is spoken here.';
/** Before Accept is known. */
const BY_PARSER = [408, 431];

/** `RequestTimeout` of `request_timeout`. */
function componentName(code: ErrorCode): string {
  return code
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = MEANINGS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

/** One or two codes, or a page's. */
function isShared(codes: readonly ErrorCode[], ofPage: boolean): boolean {
  return ofPage || codes.length <= 2;
}

function sharedName(codes: readonly ErrorCode[], ofPage: boolean): string {
  return `${codes.map(componentName).join('')}${ofPage ? 'Page' : ''}`;
}

/**
 * Those shared by operations are components.
 * @param ofPage pages, too
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  ofPage = false,
): Record<string, object> {
  const groups = [...byStatus(codes)].map(([status, group]) => [
    String(status),
    isShared(group, ofPage)
      ? { $ref: `#/components/responses/${sharedName(group, ofPage)}` }
      : responseOf(status, group, ofPage),
  ]);
  return Object.fromEntries(groups);
}

/**
 * Errors as `data` of another protocol's errors.
 * @param also statuses of that protocol's own errors
 */
export function inOtherWords(
  codes: readonly ErrorCode[],
  also: readonly number[],
  other: { schema: object; example: { error: object } },
): Record<string, object> {
  const groups = byStatus(codes);
  for (const status of BY_PARSER) groups.delete(status);
  for (const status of also) groups.set(status, groups.get(status) ?? []);
  const responses = [...groups].map(([status, group]) => {
    const { description, content, ...rest } = responseOf(status, group, false);
    const { example: data } = content['application/json'];
    const example =
      data === undefined
        ? other.example
        : { ...other.example, error: { ...other.example.error, data } };
    const json = { schema: other.schema, example };
    return [
      String(status),
      {
        description: `${OTHER}\n\n${description}`.trim(),
        ...rest,
        content: { 'application/json': json },
      },
    ];
  });
  return Object.fromEntries(responses);
}

/** Named by {@link errorResponses}. */
export function errorComponents(
  operations: readonly { errors: readonly ErrorCode[]; path: string }[],
): Record<string, object> {
  const entries = operations.flatMap(({ errors, path }) => {
    const ofPage = !isDataPath(path);
    return [...byStatus(errors)]
      .filter(([, group]) => isShared(group, ofPage))
      .map(([status, group]): [string, object] => [
        sharedName(group, ofPage),
        responseOf(status, group, ofPage),
      ]);
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
