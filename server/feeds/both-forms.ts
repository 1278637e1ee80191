import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { type Endpoint, readEndpoint, SENT } from '../http/endpoint.js';
import type { ReadDeclaration } from '../http/endpoint-declaration.js';
import { feedPolicy } from '../http/headers.js';
import { id, room, time, url } from '../http/openapi/common.js';
import type { Answer } from '../http/openapi/operation.js';
import { CONTENT_TRUST, sendText } from '../http/send.js';
import { fittingOf, MAX_BYTES } from '../site/index.js';
import {
  ATOM_TYPE,
  atomOf,
  type Entry,
  FEED_ENTRIES,
  type Feed,
  tagUri,
} from './feed.js';

const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';

const contentTrust = z.literal(CONTENT_TRUST);

const jsonItem = z.object({
  id: z.string(),
  url,
  title: z.string(),
  content_text: z.string(),
  date_published: time,
  date_modified: time,
  authors: z.array(z.object({ name: z.string() })),
  tags: z.array(room),
  _board: z.object({
    message_id: id,
    root_id: id,
    reply_to: z.string().nullable(),
    read_url: url,
    removed: z.boolean(),
    content_trust: contentTrust,
  }),
});

const jsonFeed = z
  .object({
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    home_page_url: url,
    feed_url: url,
    description: z.string(),
    _board: z
      .object({ id: z.string(), content_trust: contentTrust })
      .describe('Of the board, beside what JSON Feed 1.1 has.'),
    items: z.array(jsonItem).max(FEED_ENTRIES),
  })
  .describe('JSON Feed 1.1. Texts are plain text.');

export const feedSchemas = { JsonFeed: jsonFeed };

/** JSON Feed 1.1; the board's own members are in `_board`. */
function jsonFeedOf(feed: Feed): z.infer<typeof jsonFeed> {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.homeUrl,
    feed_url: feed.jsonUrl,
    description: feed.description,
    _board: { id: feed.id, content_trust: CONTENT_TRUST },
    items: feed.entries.map(itemOf),
  };
}

function itemOf(entry: Entry): z.infer<typeof jsonItem> {
  const { parent } = entry;
  return {
    id: entry.id,
    url: entry.url,
    title: entry.title,
    content_text: entry.text,
    date_published: publicTime(entry.published),
    date_modified: publicTime(entry.updated),
    authors: [{ name: entry.author }],
    tags: [entry.room],
    _board: {
      message_id: entry.messageId,
      root_id: entry.rootId,
      reply_to: parent?.id ?? null,
      read_url: entry.readUrl,
      removed: entry.removed,
      content_trust: CONTENT_TRUST,
    },
  };
}

type Read<P extends z.ZodRawShape> = ReadDeclaration<P, z.ZodRawShape, unknown>;

type FeedDeclaration<P extends z.ZodRawShape> = Pick<
  Read<P>,
  'params' | 'missing' | 'errors'
> & {
  /** Without the ending, as Express writes it. */
  path: string;
  /** Part of the operationIds. */
  name: string;
  of: string;
  about: string;
  feed: (ctx: Context, params: z.output<z.ZodObject<P>>) => Promise<Feed>;
};

const FORMS = [
  {
    ending: 'atom',
    name: 'Atom',
    words: 'Atom feed',
    type: ATOM_TYPE,
    write: (feed: Feed) => atomOf(feed),
    answer: (feed: Feed): Answer => ({
      description: 'RFC 4287; replies by RFC 4685.',
      text: {
        'application/atom+xml': { description: 'XML.', example: atomOf(feed) },
        'application/xml': {
          description: 'The same in a style, for who names HTML and no Atom.',
          example: atomOf(feed, true),
        },
      },
    }),
    isListed: true,
  },
  {
    ending: 'json',
    name: 'JsonFeed',
    words: 'JSON Feed',
    type: JSON_FEED_TYPE,
    write: (feed: Feed) => JSON.stringify(jsonFeedOf(feed)),
    answer: (feed: Feed): Answer => ({
      description: 'JSON Feed 1.1; the board adds `_board` members.',
      json: {
        type: 'application/feed+json',
        schema: jsonFeed,
        example: jsonFeedOf(feed),
      },
    }),
    isListed: false,
  },
] as const;

const XML_TYPE = 'application/xml; charset=utf-8';

/** Feed readers do not accept HTML, browsers name no Atom. */
function isForBrowser({ headers }: IncomingMessage): boolean {
  const accept = String(headers.accept ?? '').toLowerCase();
  return accept.includes('text/html') && !accept.includes('application/atom');
}

/** spec/board.md §8 */
export function bothForms<P extends z.ZodRawShape>({
  path,
  name,
  of,
  about,
  errors = [],
  feed,
  ...shared
}: FeedDeclaration<P>): Endpoint[] {
  return FORMS.map((form) =>
    readEndpoint({
      ...shared,
      get: `${path}.${form.ending}`,
      id: `read${name}${form.name}`,
      tag: 'Feeds',
      summary: `The ${form.words} of ${of}`,
      description:
        'The newest 50, or fewer where they have more than 512 kB, newest first. Texts are plain text, removed messages are tombstones under the same id.',
      ...(form.isListed ? { about } : {}),
      errors: [...errors, 'unavailable'],
      answers: ({ baseUrl }) => ({ 200: form.answer(exampleFeed(baseUrl)) }),
      handle:
        (ctx) =>
        async ({ params, req, res }) => {
          const found = await feed(ctx, params);
          if (form.ending === 'atom') res.vary('Accept');
          if (form.ending === 'atom' && isForBrowser(req)) {
            feedPolicy(res);
            const styled = fitting(found, (fewer) => atomOf(fewer, true));
            sendText(req, res, styled, { cache: 'revalidate', type: XML_TYPE });
          } else {
            const { type } = form;
            const text = fitting(found, form.write);
            sendText(req, res, text, { cache: 'revalidate', type });
          }
          return SENT;
        },
    }),
  );
}

function fitting(feed: Feed, write: (feed: Feed) => string): string {
  let shown = feed;
  for (;;) {
    const { length } = shown.entries;
    const text = write(shown);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MAX_BYTES || length <= 1) return text;
    const most = fittingOf(length, bytes);
    const rest = `It ends at 512 kB; older ones are at ${feed.homeUrl}.`;
    const description = `${feed.description} ${rest}`;
    shown = { ...feed, description, entries: feed.entries.slice(0, most) };
  }
}

function exampleFeed(baseUrl: string): Feed {
  return {
    id: tagUri('board-a.example', 'feed:/feed'),
    title: 'Example board',
    description: 'The newest messages.',
    homeUrl: `${baseUrl}/`,
    atomUrl: `${baseUrl}/feed.atom`,
    jsonUrl: `${baseUrl}/feed.json`,
    entries: [],
  };
}
