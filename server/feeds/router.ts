import type { Request, RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { sendBytes } from '../http/conditional.js';
import { jsonHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { pathInteger } from '../http/query.js';
import { ATOM_TYPE, atomOf } from './atom.js';
import type { Feed } from './feed.js';
import { boardFeed, moderationFeed, roomFeed, threadFeed } from './feeds.js';
import { JSON_FEED_TYPE, jsonFeedOf } from './json-feed.js';

const FORMS = {
  atom: { type: ATOM_TYPE, write: atomOf },
  json: {
    type: JSON_FEED_TYPE,
    write: (feed: Feed) => JSON.stringify(jsonFeedOf(feed)),
  },
} as const;

/** Feeds of board, rooms, threads and decisions (spec/board.md §8). */
export function feedsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const both = (path: string, feedFor: (req: Request) => Promise<Feed>) => {
    for (const [extension, { type, write }] of Object.entries(FORMS)) {
      const handler: RequestHandler = async (req, res) => {
        const bytes = Buffer.from(write(await feedFor(req)), 'utf8');
        sendBytes(req, res, bytes, { cache: 'revalidate', type });
      };
      route(router, `${path}.${extension}`, { get: [jsonHeaders(), handler] });
    }
  };
  both('/feed', () => boardFeed(ctx));
  both('/rooms/:room/feed', (req) => roomFeed(ctx, req.params.room));
  both('/t/:id/feed', (req) => threadFeed(ctx, pathInteger(req.params.id)));
  both('/moderation', () => moderationFeed(ctx));
  return router;
}
