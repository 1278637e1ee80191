import type { RequestHandler } from 'express';
import type { Context } from '../../context.js';
import { requestNetwork } from '../request-network.js';
import { takeRead } from './take-read.js';

const READS = 'reads_per_network_minute';

/**
 * Spends one of the network's reads whatever the method: for writes that have
 * no limit of their own but leave a row behind.
 */
export function countRead(ctx: Context): RequestHandler {
  return (req, res, next) => {
    takeRead(ctx, res, READS, requestNetwork(req, ctx.trustedProxies));
    next();
  };
}

/**
 * Spends one of the network's reads a minute on every GET (spec/board.md
 * §2.21).
 */
export function countReads(ctx: Context): RequestHandler {
  const one = countRead(ctx);
  return (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') one(req, res, next);
    else next();
  };
}
