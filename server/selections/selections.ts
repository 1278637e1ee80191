import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { examplePage, exampleTrust } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { olderThan, pageLimit } from '../http/openapi/parameters.js';
import { canonical, pathId } from '../http/query.js';
import { envelope, LIST_COSTS, trust } from '../http/send.js';
import { messageReadUrl, messageUrl, moderationUrl } from '../http/urls.js';
import {
  type Card,
  exampleSelection,
  type SelectionView,
  schemas,
} from './answers.js';
import {
  type CardRow,
  selectionCards,
  selectionPage,
} from './selections.sql.js';

function selectionsOf(
  rows: readonly CardRow[],
  baseUrl: string,
): SelectionView[] {
  const views = new Map<number, SelectionView>();
  for (const row of rows) {
    const { id, day } = row;
    const empty = { id, date: day, title: `Best of ${day}`, cards: [] };
    const view: SelectionView = views.get(id) ?? empty;
    view.cards.push(card(row, baseUrl));
    views.set(row.id, view);
  }
  return [...views.values()];
}

/** A tombstone for removed or excluded originals. */
function card(row: CardRow, baseUrl: string): Card {
  const state = stateOf(row);
  const shown = state === 'available';
  const { message_id: messageId, root_id: rootId } = row;
  return {
    card_id: `${row.id}-${row.n}`,
    message_id: messageId,
    title: shown ? row.title : null,
    excerpt: shown ? row.excerpt : null,
    author: shown ? row.author : null,
    created_at: publicTime(row.created_at),
    url: messageUrl(baseUrl, rootId, messageId),
    read_url: messageReadUrl(baseUrl, messageId),
    state,
    ...(shown
      ? {}
      : {
          moderation_url: moderationUrl(
            baseUrl,
            state === 'removed' ? messageId : rootId,
          ),
        }),
  };
}

function stateOf({ removed, excluded }: CardRow): Card['state'] {
  if (removed) return 'removed';
  return excluded ? 'excluded' : 'available';
}

export const listSelections = readEndpoint({
  get: '/api/selections',
  id: 'listSelections',
  costs: LIST_COSTS,
  tag: 'Statistics',
  summary: 'Daily collections, newest first',
  description: 'Up to five messages of each past UTC day; read-only.',
  about: 'the best of past days',
  query: ({ limits }) => ({
    limit: pageLimit(limits, limits.messages_page_default),
    before: olderThan('selections'),
  }),
  answers: ({ baseUrl }) =>
    ok(
      'A page of selections.',
      schemas.SelectionList,
      examplePage(baseUrl, [exampleSelection(baseUrl)], 9),
    ),
  errors: ['unavailable'],
  handle:
    (ctx) =>
    async ({ query: { limit, before = null } }) => {
      const { baseUrl } = ctx.config;
      const rows = await selectionPage(ctx.reads, before, limit + 1);
      const found = selectionsOf(rows, baseUrl);
      const data = found.slice(0, limit);
      const more = canonical({ limit, before: data.at(-1)?.id });
      const next =
        found.length > limit ? `${baseUrl}/api/selections${more}` : null;
      const page = envelope(data, data[0]?.id ?? 0, next);
      return { json: { ...page, ...trust(baseUrl) } };
    },
});

/** spec/board.md §2.16 */
export const readSelection = readEndpoint({
  get: '/api/selections/:id',
  id: 'readSelection',
  tag: 'Statistics',
  summary: 'One daily collection',
  description: 'Removed and excluded originals stay as tombstones.',
  about: 'one past day',
  params: {
    id: pathId.describe('The ID of a selection.').meta({ examples: [9] }),
  },
  missing: unknown,
  answers: ({ baseUrl }) =>
    ok('The selection.', schemas.SelectionRead, {
      ...exampleSelection(baseUrl),
      ...exampleTrust(baseUrl),
    }),
  errors: ['selection_not_found', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { id } }) => {
      const { baseUrl } = ctx.config;
      const rows = await selectionCards(ctx.reads, id);
      const [selection] = selectionsOf(rows, baseUrl);
      if (selection === undefined) throw unknown(ctx);
      return { json: { ...selection, ...trust(baseUrl) } };
    },
});

function unknown({ config }: Pick<Context, 'config'>): BoardError {
  return new BoardError(
    'selection_not_found',
    `No selection has this ID; ${config.baseUrl}/api/selections lists them.`,
  );
}
