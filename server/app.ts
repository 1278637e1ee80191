import express, {
  type Express,
  type RequestHandler,
  type Router,
} from 'express';
import { adminRouter } from './admin/router.js';
import { apiDocument } from './api-document.js';
import { closedWrites } from './closed-writes.js';
import type { AppContext, Context } from './context.js';
import { discoveryRouter } from './discovery/router.js';
import { feedsRouter } from './feeds/router.js';
import { firstAsked } from './first-asked.js';
import { healthRouter } from './health/router.js';
import { BOARD_TITLE_SETTING } from './html/error-page.js';
import { countReads } from './http/count-reads.js';
import { type Endpoint, mount } from './http/endpoint.js';
import { errorHandler } from './http/error-handler.js';
import { jsonHeaders } from './http/headers.js';
import { namedClients } from './http/named-clients.js';
import { notFound } from './http/not-found.js';
import { BASE_URL_SETTING, sliceRouter } from './http/options.js';
import { readablePath } from './http/path-escapes.js';
import { rateLimitErrors } from './http/rate-limit-headers.js';
import { rateLimitsOfWrites } from './http/rate-limit-headers-of-writes.js';
import { keyEventsRouter, keysRouter } from './keys/router.js';
import { mcpRouter } from './mcp/router.js';
import type { Metrics } from './metrics.js';
import { moderationRouter } from './moderation/router.js';
import type { Contract } from './openapi/operation.js';
import { assetsRouter } from './pages/assets.js';
import { pagesRouter } from './pages/router.js';
import type { PeerDesk } from './peer-desk.js';
import { ballotsRouter, pollsRouter } from './polls/router.js';
import { proofsRouter } from './proofs/router.js';
import { proxyAlarm } from './proxy-alarm.js';
import { readEndpoints } from './read/index.js';
import { filingRouter, reportsRouter } from './reports/router.js';
import { selectionsRouter } from './selections/router.js';
import { noteErrors, recordRequests } from './telemetry/record-requests.js';
import type { Recorder } from './telemetry/recorder.js';
import { readerEventsRouter, usefulnessRouter } from './usefulness/router.js';
import { votesRouter } from './votes/router.js';
import { writeRouter } from './write/router.js';

/** What `board.ts` brings in from outside `server/`. */
export type Mounts = {
  log: Router;
  /** What other boards and readers of the mesh ask for. */
  mesh: readonly Router[];
  /** What operators do with peers. */
  peers: PeerDesk;
  recorder: Recorder;
  /** Null while METRICS_PORT is not set. */
  metrics: Metrics | null;
  /** What they answer, for the machine description. */
  contracts: readonly Contract[];
};

const MESSAGE_WRITES =
  /^\/(?:write\/(?:preview|publish)|api\/messages\/[^/]+\/votes(?:\/preview)?)$/;

/**
 * Posting and rating, before all other routes are tried: they alone have these
 * paths, and what every write passes they pass here.
 */
function messageWrites(
  ctx: AppContext,
  passed: readonly RequestHandler[],
): Router {
  const writes = sliceRouter();
  writes.use((req, _res, next) => {
    next(MESSAGE_WRITES.test(req.path) ? undefined : 'router');
  });
  for (const handler of passed) writes.use(handler);
  writes.use('/write', writeRouter(ctx, ctx.relay));
  writes.use(votesRouter(ctx));
  return writes;
}

/**
 * The reads that come most, before all other routes: so they pass none of them
 * on their way.
 */
function hotReads(
  ctx: AppContext,
  passed: readonly RequestHandler[],
): Router {
  const hot = sliceRouter();
  const endpoints = readEndpoints.filter(({ isHot }) => isHot);
  for (const { path } of endpoints) hot.all(path, [...passed]);
  mount(hot, ctx, endpoints);
  return hot;
}

const cold = (endpoints: readonly Endpoint[]) =>
  endpoints.filter(({ isHot }) => !isHot);

/** The Express app; it never listens. */
export function createApp(ctx: AppContext, mounts: Mounts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set(BASE_URL_SETTING, ctx.config.baseUrl);
  app.set(BOARD_TITLE_SETTING, ctx.config.boardTitle);

  // Whatever answers, also a 204 or an error, is dressed (spec/board.md §1.7).
  app.use(jsonHeaders());
  app.use(readablePath());
  if (mounts.metrics !== null) app.use(mounts.metrics.timeRequests());
  app.use(namedClients(ctx, proxyAlarm(ctx)));
  const recorded = recordRequests(ctx, mounts.recorder);
  const closed = closedWrites(ctx.guard);
  app.use(hotReads(ctx, [closed, recorded, countReads(ctx)]));
  const limited = rateLimitsOfWrites(ctx);
  app.use(messageWrites(ctx, [closed, recorded, limited]));
  app.use(healthRouter(ctx));
  app.use(mounts.log);
  // Operators are no readers: their requests are not counted among them.
  app.use('/admin', adminRouter(ctx, mounts.peers));
  app.use(closed);
  for (const router of mounts.mesh) app.use(router);
  app.use(recorded);
  app.use(limited);
  // Before reads are counted: reading a write path spends nothing (1.8).
  app.use(ballotsRouter(ctx));
  app.use(keyEventsRouter(ctx));
  app.use(filingRouter(ctx));
  app.use(readerEventsRouter(ctx));
  app.use(mcpRouter(ctx, (req, res) => app(req, res)));
  app.use(assetsRouter());
  app.use(countReads(ctx));
  app.use(pagesRouter(ctx));
  mount(app, ctx, cold(readEndpoints));
  app.use(pollsRouter(ctx));
  app.use(keysRouter(ctx));
  app.use(proofsRouter(ctx));
  app.use(moderationRouter(ctx));
  app.use(reportsRouter(ctx));
  app.use(selectionsRouter(ctx));
  app.use(usefulnessRouter(ctx));
  app.use(feedsRouter(ctx));
  const described = firstAsked(() => apiDocument(ctx, mounts.contracts));
  app.use(discoveryRouter(ctx, described));

  app.use(notFound());
  app.use(noteErrors());
  app.use(rateLimitErrors(ctx.limits));
  app.use(errorHandler((record) => ctx.log.error(record, 'a request failed')));
  return app;
}
