import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { endAnswer } from '../../server/http/early-answer.js';
import { requestNetwork } from '../../server/http/request-network.js';
import { parseBody } from '../../server/http/validate.js';
import { cosignRequest } from './cosign-request.js';
import { takeCosignature } from './take-cosignature.js';

/**
 * POST /api/mesh/cosign {body, log, cosignature} → 204 (spec/mesh.md §B7,
 * §B13). It authenticates itself: who sends it does not matter.
 */
export function postCosign(ctx: Context): RequestHandler {
  return async (req, res) => {
    const request = parseBody(cosignRequest, req.body);
    const network = requestNetwork(req, ctx.trustedProxies);
    ctx.readLimiter.take('mesh_cosigns_per_network_minute', network);
    await takeCosignature(ctx, request);
    res.status(204).setHeader('Cache-Control', 'no-store');
    endAnswer(req, res);
  };
}
