import type { Router } from 'express';
import type { Context } from '../../server/context.js';
import { crossSite } from '../../server/http/cross-site.js';
import { jsonHeaders } from '../../server/http/headers.js';
import { jsonBody } from '../../server/http/json-body.js';
import { bareForNodes } from '../../server/http/node-answers.js';
import { route, sliceRouter } from '../../server/http/options.js';
import { countMeshGets } from '../count-gets.js';
import { listEvidence } from './list-evidence.js';
import { postCosign } from './post-cosign.js';
import { postHint } from './post-hint.js';
import { readEvidence } from './read-evidence.js';

/** What boards tell each other about heads: hints, cosignatures, evidence. */
export function witnessRouter(ctx: Context): Router {
  const router = sliceRouter();
  const read = [jsonHeaders(), countMeshGets(ctx)];
  const write = [
    jsonHeaders(),
    bareForNodes(),
    crossSite(ctx.config.baseUrl),
    jsonBody(),
  ];
  route(router, '/api/mesh/hint', { post: [...write, postHint(ctx)] });
  route(router, '/api/mesh/cosign', { post: [...write, postCosign(ctx)] });
  route(router, '/api/mesh/evidence', { get: [...read, listEvidence(ctx)] });
  route(router, '/api/mesh/evidence/:sha256', {
    get: [...read, readEvidence(ctx)],
  });
  return router;
}
