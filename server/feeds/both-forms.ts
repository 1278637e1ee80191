import type { z } from 'zod';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { type Endpoint, readEndpoint, SENT } from '../http/endpoint.js';
import type { ReadDeclaration } from '../http/endpoint-declaration.js';
import { CONTENT_TRUST, sendText } from '../http/send.js';
import { ATOM_TYPE, atomOf, type Entry, type Feed, tagUri } from './feed.js';

const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';

/** A feed as JSON Feed 1.1; the board's own members are in `_board`. */
function jsonFeedOf(feed: Feed): object {
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

function itemOf(entry: Entry): object {
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
  /** Its address but for the ending, as Express writes it. */
  path: string;
  /** Its name in the operationIds. */
  name: string;
  of: string;
  /** Of its Atom form. */
  about: string;
  feed: (ctx: Context, params: z.output<z.ZodObject<P>>) => Promise<Feed>;
};

const FORMS = [
  {
    ending: 'atom',
    name: 'Atom',
    words: 'Atom feed',
    type: ATOM_TYPE,
    write: atomOf,
    media: 'application/atom+xml',
    answer: 'RFC 4287; replies by RFC 4685.',
    content: 'XML.',
    isListed: true,
  },
  {
    ending: 'json',
    name: 'JsonFeed',
    words: 'JSON Feed',
    type: JSON_FEED_TYPE,
    write: (feed: Feed) => JSON.stringify(jsonFeedOf(feed)),
    media: 'application/feed+json',
    answer: 'JSON Feed 1.1.',
    content: 'JSON; the board adds `_board` members.',
    isListed: false,
  },
] as const;

/** One feed as Atom and as JSON Feed (spec/board.md §8). */
export function bothForms<P extends z.ZodRawShape>({
  path,
  name,
  of,
  about,
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
        'The newest 50, newest first. Texts are plain text, removed messages are tombstones under the same id.',
      ...(form.isListed ? { about } : {}),
      answers: ({ baseUrl }) => ({
        200: {
          description: form.answer,
          text: {
            [form.media]: {
              description: form.content,
              example: form.write(exampleFeed(baseUrl)),
            },
          },
        },
      }),
      handle:
        (ctx) =>
        async ({ params, req, res }) => {
          const text = form.write(await feed(ctx, params));
          const { type } = form;
          sendText(req, res, text, { cache: 'revalidate', type });
          return SENT;
        },
    }),
  );
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
