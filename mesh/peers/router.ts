import type { Router } from 'express';
import type { Context } from '../../server/context.js';
import { jsonHeaders } from '../../server/http/headers.js';
import { route, sliceRouter } from '../../server/http/options.js';
import { countMeshGets } from '../count-gets.js';
import { meshDocument } from './mesh-document.js';

/** `/api/mesh`: this board in the mesh, and its peers. */
export function peersRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/mesh', {
    get: [jsonHeaders(), countMeshGets(ctx), meshDocument(ctx)],
  });
  return router;
}
