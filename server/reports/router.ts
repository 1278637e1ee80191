import type { Router } from 'express';
import type { Context } from '../context.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { fileReport } from './file-report.js';
import { readReport } from './read-report.js';

/** Private reports to the operators. */
export function reportsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const headers = jsonHeaders();
  const guarded = [
    crossSite(ctx.config.baseUrl),
    jsonBody(ctx.limits.request_bytes),
  ];
  router.use('/api/reports', headers);
  route(router, '/api/reports', { post: [...guarded, fileReport(ctx)] });
  route(router, '/api/reports/:uuid', { get: readReport(ctx) });
  return router;
}
