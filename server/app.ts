import express, {
  type Express,
  type RequestHandler,
  type Router,
} from 'express';
import { adminRouter } from './admin/router.js';
import { apiDocument } from './api-document.js';
import { closedWrites } from './closed-writes.js';
import type { AppContext } from './context.js';
import { discoveryEndpoints } from './discovery/index.js';
import { renderDocuments } from './discovery/render.js';
import { documentsRouter } from './discovery/router.js';
import { feedEndpoints } from './feeds/index.js';
import { firstAsked } from './first-asked.js';
import { healthEndpoints } from './health/index.js';
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
import { keyEndpoints } from './keys/index.js';
import { mcpEndpoints } from './mcp/index.js';
import type { Metrics } from './metrics.js';
import { moderationEndpoints } from './moderation/index.js';
import type { Contract } from './openapi/operation.js';
import { assetsRouter } from './pages/assets.js';
import { pagesRouter } from './pages/router.js';
import type { PeerDesk } from './peer-desk.js';
import { pollEndpoints } from './polls/index.js';
import { proofEndpoints } from './proofs/index.js';
import { proxyAlarm } from './proxy-alarm.js';
import { readEndpoints } from './read/index.js';
import { reportEndpoints } from './reports/index.js';
import { selectionEndpoints } from './selections/index.js';
import { noteErrors, recordRequests } from './telemetry/record-requests.js';
import type { Recorder } from './telemetry/recorder.js';
import { usefulnessEndpoints } from './usefulness/index.js';
import { voteEndpoints } from './votes/index.js';
import { writeEndpoints } from './write/index.js';

/** What `board.ts` brings in from outside `server/`. */
export type Mounts = {
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

/**
 * The endpoints that are asked most, to be mounted before all other routes: so
 * their requests pass none of those on their way.
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

const OTHERS = [
  ...pollEndpoints,
  ...keyEndpoints,
  ...reportEndpoints,
  ...usefulnessEndpoints,
];
const isRead = ({ method }: Endpoint) => method === 'get';

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
  const hot = readEndpoints.filter(({ isHot }) => isHot);
  app.use(shortcut(ctx, hot, [closed, recorded, countReads(ctx)]));
  const messageWrites = [...writeEndpoints, ...voteEndpoints];
  app.use(shortcut(ctx, messageWrites, [closed, recorded]));
  mount(app, ctx, healthEndpoints);
  app.use(mounts.log);
  // Operators are no readers: their requests are not counted among them.
  app.use('/admin', adminRouter(ctx, mounts.peers));
  app.use(closed);
  for (const router of mounts.mesh) app.use(router);
  mount(app, ctx, mounts.meshEndpoints);
  app.use(recorded);
  // Before reads are counted: reading a write path spends nothing (§1.8).
  mount(
    app,
    ctx,
    OTHERS.filter((one) => !isRead(one)),
  );
  mount(app, ctx, mcpEndpoints);
  app.use(assetsRouter());
  app.use(countReads(ctx));
  app.use(pagesRouter(ctx));
  mount(
    app,
    ctx,
    readEndpoints.filter(({ isHot }) => !isHot),
  );
  mount(app, ctx, OTHERS.filter(isRead));
  mount(app, ctx, proofEndpoints);
  mount(app, ctx, moderationEndpoints);
  mount(app, ctx, selectionEndpoints);
  mount(app, ctx, feedEndpoints);
  const documents = firstAsked(() => renderDocuments(ctx));
  const discovery = discoveryEndpoints(documents, () => described());
  const described = firstAsked(() =>
    apiDocument(ctx, mounts.contracts, discovery),
  );
  mount(app, ctx, discovery);
  app.use(documentsRouter(ctx, documents(), described));

  app.use(notFound());
  app.use(noteErrors());
  app.use(rateLimitErrors(ctx.limits));
  app.use(errorHandler((record) => ctx.log.error(record, 'a request failed')));
  return app;
}
