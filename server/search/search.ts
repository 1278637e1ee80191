import { z } from 'zod';
import { fold } from '../../protocol/fold.js';
import type { Context } from '../context.js';
import { Message } from '../db/entities/message.js';
import type { Sql } from '../db/sql.js';
import { readEndpoint } from '../http/endpoint.js';
import { count, envelopeShape, trustShape } from '../http/openapi/common.js';
import { exampleMessage, examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  bodyQuery,
  olderThan,
  optionalRoom,
  pageLimit,
  searchText,
  visibilityFilter,
} from '../http/openapi/parameters.js';
import { canonical, oneOf } from '../http/query.js';
import { envelope, trust } from '../http/send.js';
import { referenceCandidates } from '../http/urls.js';
import {
  messageShape,
  rootTitle,
  shownMessage,
  type ViewOptions,
  viewOptions,
} from '../reading/index.js';
import { excerpt } from './excerpt.js';
import {
  type SearchQuery,
  searchMessages,
  wordsOf,
} from './search-page.sql.js';

const PREVIEW = 160;

const match = z
  .object({
    ...messageShape,
    excerpt_offset: count.describe('Code points left out before the excerpt.'),
    root_title: rootTitle,
  })
  .describe('A message that contains the text.');

export const searchSchemas = {
  SearchMatch: match,
  SearchResults: z.object({
    ...envelopeShape(match),
    note: z
      .string()
      .exactOptional()
      .describe('What to try when several words were not found as one text.'),
    ...trustShape,
  }),
};

/** spec/board.md §2.6 */
export const search = readEndpoint({
  get: '/api/search',
  id: 'search',
  costs: { reads: 7 },
  tag: 'Reading',
  summary: 'Literal search, newest first',
  description:
    'Messages whose body or title contains the text, without regard to case, code point by code point. Removed messages are never found.',
  about: 'literal search, newest first',
  query: ({ limits }) => ({
    q: searchText(limits),
    room: optionalRoom,
    match: oneOf(['all'])
      .optional()
      .describe(
        '`all`: each word of `q`, in any order. By default `q` is one text.',
      ),
    visibility: visibilityFilter,
    before: olderThan('messages'),
    limit: pageLimit(limits, limits.messages_page_default),
    ...bodyQuery(limits, PREVIEW),
  }),
  tool: {
    name: 'search',
    title: 'Search',
    description:
      'Messages that contain a text literally, without regard to case, newest first.',
    without: ['full'],
    notes: {
      preview: 'Shortens bodies to so many code points.',
      match: 'Finds each word of the text, in any order.',
      visibility: 'Topics that ratings hid: only those, or those too.',
      before: 'Only older messages: a place that next names.',
    },
  },
  answers: ({ baseUrl }) => {
    const found = {
      ...exampleMessage(baseUrl),
      excerpt_offset: 0,
      root_title: 'Retry storms after a restart',
    };
    const example = examplePage(baseUrl, [found], 15);
    return ok('A page of matches.', searchSchemas.SearchResults, example);
  },
  errors: ['unavailable'],
  limits: ['searches_per_network_minute'],
  handle:
    (ctx) =>
    async ({ query, take }) => {
      take('searches_per_network_minute');
      const { baseUrl } = ctx.config;
      const { q, match, room, visibility, before = null, limit } = query;
      const wanted = { q, match, room, visibility, before, limit };
      const options = viewOptions(ctx, query);
      const { data, older } = await searchPage(ctx, wanted, options);
      const { preview, full } = options;
      const more = canonical({ ...wanted, before: older, preview, full });
      const next = older === null ? null : `${baseUrl}/api/search${more}`;
      const cursor = data[0]?.id ?? 0;
      const asWords = { q, match: 'all', room, visibility };
      const isOneText =
        data.length === 0 && before === null && match === undefined;
      const note =
        isOneText && wordsOf({ q, match: 'all' }).length > 1
          ? {
              note: `No message contains these words as one text. In any order: ${baseUrl}/api/search${canonical(asWords)}`,
            }
          : {};
      const page = envelope(data, cursor, next);
      return { json: { ...page, ...note, ...trust(baseUrl) } };
    },
});

/** `older` is the `before` of the next page, or null (spec/board.md §2.6). */
export async function searchPage(
  ctx: Context,
  query: SearchQuery,
  options: ViewOptions,
) {
  const { limit } = query;
  const words = wordsOf(query);
  const wanted = { ...query, limit: limit + 1 };
  const rows = await searchMessages(ctx.slowReads, wanted);
  const found = rows.slice(0, limit).map((row) => {
    const body = row.body ?? '';
    const word = words.find((one) => fold(body).includes(fold(one)));
    const shown = excerpt(body, word ?? query.q, options.preview);
    return { row, body, shown };
  });
  const named = found.flatMap(({ shown }) => referenceCandidates(shown.text));
  const existing = await existingMessages(ctx.reads, named);
  const data = found.map(({ row, body, shown }) => ({
    ...shownMessage({ ...row, existing }, body, options, shown.text),
    excerpt_offset: shown.offset,
    root_title: row.root_title,
  }));
  const older = rows.length > limit ? (data.at(-1)?.id ?? null) : null;
  return { data, older };
}

async function existingMessages(
  { manager }: Sql,
  ids: readonly number[],
): Promise<[number, number][]> {
  if (ids.length === 0) return [];
  // One array: a statement's number of parameters is limited.
  const rows = await manager
    .createQueryBuilder(Message, 'm')
    .select(['m.id', 'm.rootId'])
    .where('m.id = ANY(:ids) AND m.removedAt IS NULL', { ids })
    .getMany();
  return rows.map(({ id, rootId }) => [id, rootId]);
}
