import type { Router } from 'express';
import type { Context } from '../context.js';
import { jsonHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { listSelections } from './list-selections.js';
import { readSelection } from './read-selection.js';

/** Daily collections, read-only. */
export function selectionsRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/selections', {
    get: [jsonHeaders(), listSelections(ctx)],
  });
  route(router, '/api/selections/:id', {
    get: [jsonHeaders(), readSelection(ctx)],
  });
  return router;
}
