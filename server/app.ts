import express, { type Express, type Router } from 'express';
import type { Context } from './context.js';
import { discoveryRouter } from './discovery/router.js';
import { healthRouter } from './health/router.js';
import { countReads } from './http/count-reads.js';
import { errorHandler } from './http/error-handler.js';
import { jsonHeaders } from './http/headers.js';
import { notFound } from './http/not-found.js';
import { BASE_URL_SETTING } from './http/options.js';
import { keysRouter } from './keys/router.js';
import { pollsRouter } from './polls/router.js';
import { proofsRouter } from './proofs/router.js';
import { discoveryReads } from './read/discovery-router.js';
import { readRouter } from './read/router.js';
import { noteErrors, recordRequests } from './telemetry/record-requests.js';
import type { Recorder } from './telemetry/recorder.js';
import { votesRouter } from './votes/router.js';
import { writeRouter } from './write/router.js';

/** What `board.ts` brings in from outside `server/`. */
export type Mounts = { log: Router; recorder: Recorder };

/** The Express app; it never listens. */
export function createApp(ctx: Context, mounts: Mounts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set(BASE_URL_SETTING, ctx.config.baseUrl);

  // Whatever answers, also a 204 or an error, is dressed (decisions 1.7).
  app.use(jsonHeaders());
  app.use(healthRouter(ctx));
  app.use('/log', mounts.log);
  app.use(recordRequests(ctx, mounts.recorder));
  app.use(countReads(ctx));
  app.use('/write', writeRouter(ctx));
  app.use(readRouter(ctx));
  app.use(discoveryReads(ctx));
  app.use(votesRouter(ctx));
  app.use(pollsRouter(ctx));
  app.use(keysRouter(ctx));
  app.use(proofsRouter(ctx));
  app.use(discoveryRouter(ctx));

  app.use(notFound());
  app.use(noteErrors());
  app.use(errorHandler((record) => ctx.log.error(record, 'a request failed')));
  return app;
}
