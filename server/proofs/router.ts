import type { Router } from 'express';
import type { Context } from '../context.js';
import { jsonHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { readProof } from './read-proof.js';

/** Proofs of signed messages. */
export function proofsRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/messages/:id/proof', {
    get: [jsonHeaders(), readProof(ctx)],
  });
  return router;
}
