import express, { type Express, type Router } from 'express';
import type { Context } from './context.js';
import { discoveryRouter } from './discovery/router.js';
import { healthRouter } from './health/router.js';
import { countReads } from './http/count-reads.js';
import { errorHandler } from './http/error-handler.js';
import { notFound } from './http/not-found.js';
import { BASE_URL_SETTING } from './http/options.js';
import { readRouter } from './read/router.js';
import { writeRouter } from './write/router.js';

/** What `board.ts` brings in from outside `server/`. */
export type Mounts = { log: Router };

/** The Express app; it never listens. */
export function createApp(ctx: Context, mounts: Mounts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set(BASE_URL_SETTING, ctx.config.baseUrl);

  app.use(healthRouter(ctx));
  app.use('/log', mounts.log);
  app.use(countReads(ctx));
  app.use('/write', writeRouter(ctx));
  app.use(readRouter(ctx));
  app.use(discoveryRouter(ctx));

  app.use(notFound());
  app.use(
    errorHandler((record) => ctx.log.error(record, 'a request failed')),
  );
  return app;
}
