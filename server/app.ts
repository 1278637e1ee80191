import express, {
  type Express,
  type RequestHandler,
  type Router,
} from 'express';
import type { Mirrors, PeerAdmin, RelayPort } from '../mesh/mesh-ports.js';
import {
  inboxEndpoints,
  inboxSchemas,
  keyEndpoints,
  proofEndpoints,
  proofSchemas,
} from './agents/index.js';
import { clientFile } from './api-docs/client-file.js';
import { DOCUMENT_NAMES, type Documented } from './api-docs/document.js';
import { documentsContract } from './api-docs/document-operations.js';
import { discoveryEndpoints, discoverySchemas } from './api-docs/index.js';
import { machineDescription } from './api-docs/machine-description.js';
import { renderDocuments } from './api-docs/render.js';
import { documentsRouter } from './api-docs/router.js';
import type { Context } from './context.js';
import { type AdminParts, adminRouter } from './dashboard/router.js';
import { feedEndpoints, feedSchemas } from './feeds/index.js';
import { readablePath } from './http/edge/server.js';
import { type Endpoint, mount } from './http/endpoint.js';
import type { Address } from './http/guess-address.js';
import { lazy } from './http/lazy.js';
import { namedClients } from './http/network.js';
import { openApiDocument } from './http/openapi/document.js';
import type { Contract, Operation, Setting } from './http/openapi/operation.js';
import { BASE_URL_SETTING } from './http/post-action.js';
import { countReads, countRefusals } from './http/rate-limits/read-limiter.js';
import { rateLimitErrors } from './http/rate-limits/write-limits.js';
import { jsonHeaders } from './http/send.js';
import { closedWrites } from './ledger/rollback-guard.js';
import { mcpEndpoints, mcpSchemas } from './mcp/index.js';
import {
  moderationEndpoints,
  moderationSchemas,
  reportEndpoints,
  reportForm,
} from './moderation/index.js';
import { proxyAlert } from './operations/alerts.js';
import { healthEndpoints, healthSchemas } from './operations/health.js';
import { pollEndpoints, pollSchemas } from './polls/index.js';
import { writeEndpoints, writeSchemas } from './posting/index.js';
import { readEndpoints, readSchemas } from './reading/index.js';
import { MessageWaits } from './reading/message-waits.js';
import { searchEndpoints, searchSchemas } from './search/index.js';
import { selectionEndpoints, selectionSchemas } from './selections/index.js';
import { assetsRouter } from './site/assets.js';
import { BOARD_TITLE_SETTING } from './site/document.js';
import { errorHandler, notFound } from './site/error-handler.js';
import { pagesContract, pagesRouter } from './site/router.js';
import { statsEndpoints, statsSchemas } from './stats/index.js';
import type { Metrics } from './stats/metrics.js';
import {
  noteErrors,
  recordRequests,
  type Visits,
} from './stats/record-requests.js';
import type { Recorder } from './stats/recorder.js';
import { ticketSchemas } from './tickets/index.js';
import { voteEndpoints, voteSchemas } from './votes/index.js';

/** The context, and what some features need beside it. */
type AppContext = Documented & {
  readonly endpoints: readonly Endpoint<AppContext>[];
  readonly operations: () => readonly Operation[];
  readonly mirrors: Mirrors;
  readonly relay: RelayPort;
  readonly waits: MessageWaits;
};

/** Handed in by `board.ts`, also from outside `server/`. */
export type Mounts = {
  recorder: Recorder;
  visits: Visits;
  metrics: Metrics | null;
  /** Passed by reads that depend on address and revision only. */
  cached: RequestHandler | null;
  clientFile: string;
  admin: AdminParts;
  mesh: Pick<AppContext, 'relay' | 'mirrors'> & {
    log: Router;
    /** For other boards and readers of the mesh. */
    routers: readonly Router[];
    endpoints: readonly Endpoint<AppContext>[];
    contracts: () => readonly Contract[];
    admin: PeerAdmin;
  };
};

const boardEndpoints: readonly Endpoint<AppContext>[] = [
  ...readEndpoints,
  ...inboxEndpoints,
  ...searchEndpoints,
  ...proofEndpoints,
  ...selectionEndpoints,
  ...statsEndpoints,
  ...moderationEndpoints,
  ...reportEndpoints,
  ...writeEndpoints,
  ...voteEndpoints,
  ...pollEndpoints,
  ...keyEndpoints,
  ...feedEndpoints,
  ...mcpEndpoints,
  ...discoveryEndpoints,
  ...healthEndpoints,
];

function boardContract(setting: Setting): Contract {
  return {
    operations: boardEndpoints.flatMap((one) => one.operations(setting)),
    schemas: {
      ...ticketSchemas,
      ...readSchemas,
      ...inboxSchemas,
      ...searchSchemas,
      ...proofSchemas,
      ...selectionSchemas,
      ...statsSchemas,
      ...moderationSchemas,
      ...writeSchemas(setting),
      ...voteSchemas,
      ...pollSchemas,
      ...feedSchemas,
      ...mcpSchemas,
      ...discoverySchemas,
      ...healthSchemas,
    },
  };
}

function appContext(ctx: Context, mounts: Mounts): AppContext {
  const { mesh } = mounts;
  const { config, limits } = ctx;
  const { baseUrl, boardTitle: title, boardContact: contact } = config;
  const contracts = lazy(() => [
    boardContract({ limits, baseUrl }),
    ...mesh.contracts(),
    documentsContract(ctx),
    pagesContract({ limits, baseUrl }),
  ]);
  const all: AppContext = {
    ...ctx,
    relay: mesh.relay,
    mirrors: mesh.mirrors,
    waits: new MessageWaits(ctx),
    endpoints: [...boardEndpoints, ...mesh.endpoints],
    operations: lazy(() => contracts().flatMap((one) => one.operations)),
    documents: lazy(() => renderDocuments(all)),
    description: lazy(() => {
      const about = { title, baseUrl, contact };
      return machineDescription(baseUrl, openApiDocument(about, contracts()));
    }),
    clientFile: lazy(() => clientFile(baseUrl, mounts.clientFile)),
  };
  return all;
}

/** One chain, top to bottom; it never listens. */
export function createApp(context: Context, mounts: Mounts): Express {
  const { recorder, visits, metrics, cached, mesh } = mounts;
  const ctx = appContext(context, mounts);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set(BASE_URL_SETTING, ctx.config.baseUrl);
  app.set(BOARD_TITLE_SETTING, ctx.config.boardTitle);

  // On every answer, also 204 and errors (spec/board.md §1.7).
  app.use(jsonHeaders());
  app.use(readablePath());
  if (metrics !== null) app.use(metrics.timeRequests());
  app.use(namedClients(ctx.trustedProxies, proxyAlert(ctx)));
  const counters = [...ctx.endpoints, reportForm];
  const recorded = recordRequests(ctx, recorder, visits, counters);
  const closed = closedWrites([ctx.guard, ctx.clockGuard], ctx.endpoints);
  const counted = countReads(ctx);
  // Hot routes first. A GET of a write path spends nothing (spec/board.md
  // §1.8).
  const { hotReads, reads, hotWrites, writes } = sorted();
  const reading = { post: closed, all: [recorded, counted] };
  const writing = { post: closed, all: [recorded] };
  const caching = cached === null ? [] : [cached];
  mount(app, ctx, hotReads, {
    post: closed,
    all: [...reading.all, ...caching],
  });
  mount(app, ctx, hotWrites, writing);
  mount(app, ctx, healthEndpoints);
  mount(app, ctx, writes, writing);
  mount(app, ctx, reads, reading);
  app.use(mesh.log);
  app.use(countRefusals(ctx, ['GET', 'HEAD']));
  // Operators do not count as readers.
  app.use('/admin', adminRouter(ctx, mesh.admin, mounts.admin));
  app.use(closed);
  for (const router of mesh.routers) app.use(router);
  mount(app, ctx, mesh.endpoints);
  app.use(recorded);
  app.use(assetsRouter());
  app.use(counted);
  if (cached !== null) app.get('/t/:id', cached);
  app.use(pagesRouter(ctx));
  app.use(documentsRouter(ctx));

  app.use(notFound(addressesOf(ctx)));
  app.use(noteErrors());
  app.use(rateLimitErrors(ctx));
  app.use(errorHandler((record) => ctx.log.error(record, 'a request failed')));
  return app;
}

/** To guess what a wrong address meant. */
function addressesOf({ endpoints, limits, config }: AppContext): Address[] {
  const setting = { limits, baseUrl: config.baseUrl };
  const texts = [...DOCUMENT_NAMES, 'robots.txt', 'sitemap.xml'];
  return [
    ...endpoints.map(({ method, path, template }) => ({
      method,
      path,
      body: template(setting),
    })),
    ...texts.map((name) => ({ method: 'get' as const, path: `/${name}` })),
  ];
}

function sorted() {
  const ofHealth = new Set<object>(healthEndpoints);
  const those = (method: Endpoint['method'], isHot: boolean) =>
    boardEndpoints.filter(
      (one) =>
        one.method === method && one.isHot === isHot && !ofHealth.has(one),
    );
  return {
    hotReads: those('get', true),
    hotWrites: those('post', true),
    reads: those('get', false),
    writes: those('post', false),
  };
}
