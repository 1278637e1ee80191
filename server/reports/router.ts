import type { Router } from 'express';
import type { Context } from '../context.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { fileReport } from './file-report.js';
import { readReport } from './read-report.js';

/** What became of a private report. */
export function reportsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const get = [jsonHeaders(), readReport(ctx)];
  route(router, '/api/reports/:uuid', { get });
  return router;
}

/** Private reports to the operators. */
export function filingRouter(ctx: Context): Router {
  const router = sliceRouter();
  const guarded = [
    jsonHeaders(),
    crossSite(ctx.config.baseUrl),
    jsonBody(ctx.limits.request_bytes),
  ];
  route(router, '/api/reports', { post: [...guarded, fileReport(ctx)] });
  return router;
}
