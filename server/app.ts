import express, {
  type Express,
  type RequestHandler,
  type Router,
} from 'express';
import type { PeerDesk } from '../mesh/mesh-ports.js';
import { firstAsked } from './api-docs/lazy.js';
import { renderDocuments } from './api-docs/render.js';
import { documentsRouter } from './api-docs/router.js';
import { apiDocument } from './api-document.js';
import type { AppContext, Context } from './context.js';
import { adminRouter } from './dashboard/router.js';
import { boardEndpoints } from './endpoints.js';
import { type Endpoint, mount } from './http/endpoint.js';
import { jsonHeaders } from './http/headers.js';
import { namedClients } from './http/named-clients.js';
import type { Contract } from './http/openapi/operation.js';
import { readablePath } from './http/path-escapes.js';
import { countReads } from './http/rate-limits/count-reads.js';
import { rateLimitErrors } from './http/rate-limits/headers.js';
import { closedWrites } from './http/require-open-log.js';
import { BASE_URL_SETTING, sliceRouter } from './http/route.js';
import { proxyAlarm } from './operations/proxy-alert.js';
import { assetsRouter } from './site/assets.js';
import { errorHandler } from './site/error-handler.js';
import { BOARD_TITLE_SETTING } from './site/error-page.js';
import { notFound } from './site/not-found.js';
import { pagesRouter } from './site/router.js';
import type { Metrics } from './stats/metrics.js';
import { operationNames } from './stats/operation-name.js';
import { noteErrors, recordRequests } from './stats/record-requests.js';
import type { Recorder } from './stats/recorder.js';

/** What `board.ts` brings in from outside `server/`. */
export type Mounts = Pick<AppContext, 'relay' | 'updates'> & {
  log: Router;
  /** What other boards and readers of the mesh ask for. */
  mesh: readonly Router[];
  meshEndpoints: readonly Endpoint[];
  /** What operators do with peers. */
  peers: PeerDesk;
  recorder: Recorder;
  /** Null while METRICS_PORT is not set. */
  metrics: Metrics | null;
  /** What they answer, for the machine description. */
  contracts: readonly Contract[];
};

function appContext(ctx: Context, mounts: Mounts): AppContext {
  const { relay, updates, meshEndpoints, contracts } = mounts;
  const all: AppContext = {
    ...ctx,
    relay,
    updates,
    endpoints: [...boardEndpoints, ...meshEndpoints],
    documents: firstAsked(() => renderDocuments(all)),
    description: firstAsked(() => apiDocument(ctx, contracts)),
  };
  return all;
}

const isHealth = ({ path }: Endpoint) => /^\/(?:healthz|readyz)$/.test(path);
const isWrite = ({ method }: Endpoint) => method === 'post';

/** The Express app: one chain, top to bottom; it never listens. */
export function createApp(context: Context, mounts: Mounts): Express {
  const ctx = appContext(context, mounts);
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
  const names = operationNames(ctx.endpoints);
  const recorded = recordRequests(ctx, mounts.recorder, names);
  const closed = closedWrites(ctx.guard, ctx.endpoints);
  const counted = countReads(ctx);

  const { health, hotReads, hotWrites, writes, reads } = sorted();
  app.use(shortcut(ctx, hotReads, [closed, recorded, counted]));
  app.use(shortcut(ctx, hotWrites, [closed, recorded]));
  mount(app, ctx, health);
  app.use(mounts.log);
  // Operators are no readers: their requests are not counted among them.
  app.use('/admin', adminRouter(ctx, mounts.peers));
  app.use(closed);
  for (const router of mounts.mesh) app.use(router);
  mount(app, ctx, mounts.meshEndpoints);
  app.use(recorded);
  // Before reads are counted: reading a write path spends nothing (§1.8).
  mount(app, ctx, writes);
  app.use(assetsRouter());
  app.use(counted);
  app.use(pagesRouter(ctx));
  mount(app, ctx, reads);
  app.use(documentsRouter(ctx, ctx.documents(), ctx.description));

  app.use(notFound());
  app.use(noteErrors());
  app.use(rateLimitErrors(ctx.limits));
  app.use(errorHandler((record) => ctx.log.error(record, 'a request failed')));
  return app;
}

/** The board's endpoints by their places in the chain. */
function sorted() {
  const rest = boardEndpoints.filter((one) => !isHealth(one));
  const [writing, reading] = [true, false].map((write) =>
    rest.filter((one) => isWrite(one) === write),
  ) as [Endpoint[], Endpoint[]];
  return {
    health: boardEndpoints.filter(isHealth),
    hotReads: reading.filter(({ isHot }) => isHot),
    hotWrites: writing.filter(({ isHot }) => isHot),
    writes: writing.filter(({ isHot }) => !isHot),
    reads: reading.filter(({ isHot }) => !isHot),
  };
}

/**
 * The endpoints that are asked most, mounted before all other routes: so their
 * requests pass none of those on their way.
 *
 * @param passed what all requests pass before they come to their endpoint.
 */
function shortcut(
  ctx: AppContext,
  endpoints: readonly Endpoint[],
  passed: readonly RequestHandler[],
): Router {
  const router = sliceRouter();
  for (const { path } of endpoints) router.all(path, [...passed]);
  mount(router, ctx, endpoints);
  return router;
}
