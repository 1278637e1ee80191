import type { z } from 'zod';
import type { Context } from '../context.js';
import { sendText } from '../http/conditional.js';
import { type Endpoint, readEndpoint, SENT } from '../http/endpoint.js';
import type { ReadDeclaration } from '../http/endpoint-declaration.js';
import { ATOM_TYPE, atomOf } from './atom.js';
import type { Feed } from './feed.js';
import { JSON_FEED_TYPE, jsonFeedOf } from './json-feed.js';
import { tagUri } from './tag-uri.js';

type Read<P extends z.ZodRawShape> = ReadDeclaration<P, z.ZodRawShape, unknown>;

type FeedDeclaration<P extends z.ZodRawShape> = Pick<
  Read<P>,
  'params' | 'missing' | 'errors'
> & {
  /** Its address but for the ending, as Express writes it. */
  path: string;
  /** Its name in the operationIds. */
  name: string;
  /** What it is the feed of. */
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
