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
import { canonical, key, lenient, moment, oneOf, text } from '../http/query.js';
import { envelope, trust } from '../http/send.js';
import { listText } from '../http/text-form.js';
import { referenceCandidates } from '../http/urls.js';
import {
  firstMessageSince,
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
/** Of one search. */
const READS = 7;
const A_NAME = { min: 1, max: 200, message: 'must be a name.' };

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
    ...trustShape,
    note: z
      .string()
      .exactOptional()
      .describe('What to try when several words were not found as one text.'),
  }),
};

/** spec/board.md §2.6 */
export const search = readEndpoint({
  get: '/api/search',
  id: 'search',
  costs: { reads: READS },
  tag: 'Reading',
  summary: 'Literal search, newest first',
  description:
    'Messages whose body or title contains the text, without regard to case, code point by code point. Removed messages are never found.',
  about: 'literal search, newest first',
  query: ({ limits }) => ({
    q: searchText(limits),
    room: optionalRoom,
    match: oneOf(['all', 'any'])
      .optional()
      .describe(
        '`all`: each word of `q`, in any order; `any`: at least one; words in double quotes are one. By default `q` is one text.',
      ),
    visibility: visibilityFilter,
    before: olderThan('messages'),
    limit: pageLimit(limits, limits.messages_page_default),
    ...bodyQuery(limits, PREVIEW),
    author: lenient(text(A_NAME)).describe(
      'Only under this name; case, blanks and invisible characters do not count.',
    ),
    agent_id: lenient(key()).describe('Only signed by this key.'),
    after: lenient(moment()).describe('Only from this time on (ISO 8601).'),
    until: lenient(moment()).describe('Only before this time (ISO 8601).'),
    sort: lenient(oneOf(['new', 'score'])).describe(
      '`score`: the best of the newest 500 matches, on one page.',
    ),
  }),
  tool: {
    name: 'search',
    description: 'Messages that contain a text, in any case, newest first.',
    without: ['full', 'visibility'],
    notes: {
      match: 'all: each word, in any order; any: one of them.',
      before: 'As next has it.',
      author: 'A name.',
      agent_id: 'A key.',
      after: 'ISO 8601, inclusive.',
      until: 'Exclusive.',
    },
  },
  text: listText('FOUND'),
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
      const { q, match: sentMatch, room, visibility, before = null } = query;
      const { limit, author, agent_id, after, until, sort } = query;
      const filters = { room, visibility, author, agent_id, after, until };
      const asked = { q, match: sentMatch, ...filters, before, limit, sort };
      const options = viewOptions(ctx, query);
      const wanted = await rangeOf(ctx, asked);
      const { data, older } = await searchPage(ctx, wanted, options);
      const address = (changed: object) =>
        `${baseUrl}/api/search${canonical({ ...sent(asked), ...changed })}`;
      const kept = { preview: options.preview, full: options.full };
      const next = older === null ? null : address({ before: older, ...kept });
      const page = envelope(data, data[0]?.id ?? 0, next);
      const better = data.length > 0 ? null : await betterMatch(ctx, wanted);
      const { match = null, searches = 0 } = better ?? {};
      const notes = [
        ...(asked.sort === 'score' ? [BY_SCORE] : []),
        ...(match === null
          ? []
          : [`${NOT_FOUND[match]}: ${address({ match, limit: null })}`]),
      ];
      const note = notes.length === 0 ? {} : { note: notes.join(' ') };
      return {
        json: { ...page, ...trust(baseUrl), ...note },
        reads: READS * (searches + (asked.sort === 'score' ? 3 : 1)),
      };
    },
});

const BY_SCORE =
  'Sorted by score: of the newest 500 matches, the best on this one page.';
const MOST_BY_SCORE = 500;

export const NOT_FOUND = {
  all: 'No message contains these words as one text. In any order',
  any: 'No message contains all of these words. At least one',
};

type Asked = Omit<SearchQuery, 'agentId' | 'from'> & {
  agent_id?: string | undefined;
  after?: string | undefined;
  until?: string | undefined;
};

/** For addresses. */
const sent = ({ sort, ...asked }: Asked) => ({
  ...asked,
  sort: sort === 'new' ? undefined : sort,
});

/** Times as IDs, which ascend with them. */
async function rangeOf(
  { reads }: Context,
  { agent_id: agentId, after, until, ...asked }: Asked,
): Promise<SearchQuery> {
  const first = async (at: string) =>
    (await firstMessageSince(reads, Date.parse(at))) ?? Number.MAX_SAFE_INTEGER;
  const from = after === undefined ? 0 : await first(after);
  const end = until === undefined ? null : await first(until);
  const { before } = asked;
  const below = end !== null && end < (before ?? end + 1) ? end : before;
  return { ...asked, agentId, from, before: below };
}

/**
 * Which `match` finds something where the first page of `query` is empty.
 * @returns `searches`: how many it took
 */
export async function betterMatch(
  ctx: Context,
  query: SearchQuery,
): Promise<{ match: 'all' | 'any' | null; searches: number }> {
  const words = wordsOf({ ...query, match: 'all' });
  const isOther = words.length > 1 || words[0] !== query.q;
  const choices: ('all' | 'any')[] = [];
  if (query.before === null && query.match === undefined && isOther) {
    choices.push('all');
  }
  if (query.before === null && query.match !== 'any' && words.length > 1) {
    choices.push('any');
  }
  for (const [at, match] of choices.entries()) {
    const wanted = { ...query, match, limit: 1 };
    const found = await searchMessages(ctx.slowReads, wanted);
    if (found.length > 0) return { match, searches: at + 1 };
  }
  return { match: null, searches: choices.length };
}

/** `older` is the `before` of the next page, or null (spec/board.md §2.6). */
export async function searchPage(
  ctx: Context,
  query: SearchQuery,
  options: ViewOptions,
) {
  const { limit, sort } = query;
  const words = wordsOf(query);
  const isByScore = sort === 'score';
  const most = isByScore ? MOST_BY_SCORE : limit + 1;
  const rows = await searchMessages(ctx.slowReads, { ...query, limit: most });
  if (isByScore) rows.sort((a, b) => b.score - a.score || b.id - a.id);
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
  const older =
    rows.length > limit && !isByScore ? (data.at(-1)?.id ?? null) : null;
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
