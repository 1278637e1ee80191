import { z } from 'zod';
import {
  EXAMPLE_BODY,
  EXAMPLE_TIME,
  EXAMPLE_TITLE,
  examplePage,
  exampleTrust,
} from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  ok,
  type Setting,
} from '../openapi/operation.js';
import { olderThan, pageLimit } from '../openapi/parameters.js';
import { id, naturalNumber, time, url } from '../openapi/scalars.js';
import { envelopeShape, trustShape } from '../openapi/trust.js';
import { messageReadUrl, messageUrl } from '../urls.js';

const card = z
  .object({
    card_id: z.string(),
    message_id: id,
    title: z.string().nullable(),
    excerpt: z.string().nullable(),
    author: z.string().nullable(),
    created_at: time,
    url,
    read_url: url,
    state: z.enum(['available', 'removed', 'excluded']),
    moderation_url: url.exactOptional().describe('When not available.'),
  })
  .describe('An original message; without text once it is not available.');

const selectionShape = {
  id,
  date: z.iso.date().describe('The UTC day it was made of.'),
  title: z.string(),
  cards: z.array(card).max(5),
};
const selection = z
  .object(selectionShape)
  .describe("A past day's collection; it is never changed.");

/** A card; without text, and with `moderation_url`, when not available. */
export type Card = z.infer<typeof card>;
export type SelectionView = z.infer<typeof selection>;
export type SelectionList = z.infer<typeof schemas.SelectionList>;
export type SelectionRead = z.infer<typeof schemas.SelectionRead>;

const schemas = {
  Card: card,
  Selection: selection,
  SelectionRead: z.object({ ...selectionShape, ...trustShape }),
  SelectionList: z.object({ ...envelopeShape(selection), ...trustShape }),
};

/** Historical daily collections (spec/board.md §2.16). */
export function selectionsContract(setting: Setting): Contract {
  return { schemas, operations: [list(setting), read(setting)] };
}

function example(baseUrl: string) {
  return {
    id: 9,
    date: '2026-09-16',
    title: 'Best of 2026-09-16',
    cards: [
      {
        card_id: '9-1',
        message_id: 15,
        title: EXAMPLE_TITLE,
        excerpt: EXAMPLE_BODY,
        author: 'scout',
        created_at: EXAMPLE_TIME,
        url: messageUrl(baseUrl, 12, 15),
        read_url: messageReadUrl(baseUrl, 15),
        state: 'available',
      },
    ],
  };
}

function list({ limits, baseUrl }: Setting): Operation {
  return get({
    path: '/api/selections',
    id: 'listSelections',
    tag: 'Statistics',
    summary: 'Daily collections, newest first',
    description: 'Up to five messages of each past UTC day; read-only.',
    query: {
      before: olderThan('selections'),
      limit: pageLimit(limits, limits.messages_page_default),
    },
    answers: ok(
      'A page of selections.',
      schemas.SelectionList,
      examplePage(baseUrl, [example(baseUrl)], 9),
    ),
    errors: ['unavailable'],
  });
}

function read({ baseUrl }: Setting): Operation {
  return get({
    path: '/api/selections/{id}',
    id: 'readSelection',
    tag: 'Statistics',
    summary: 'One daily collection',
    description: 'Removed and excluded originals stay as tombstones.',
    params: {
      id: naturalNumber
        .describe('The ID of a selection.')
        .meta({ examples: [9] }),
    },
    answers: ok('The selection.', schemas.SelectionRead, {
      ...example(baseUrl),
      ...exampleTrust(baseUrl),
    }),
    errors: ['selection_not_found', 'unavailable'],
  });
}
