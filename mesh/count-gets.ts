import type { RequestHandler } from 'express';
import type { Context } from '../server/context.js';
import { requestNetwork } from '../server/http/request-network.js';

/**
 * The limits of mesh reads: requests and bytes per network and minute
 * (spec/mesh.md §B11). Bytes are known when the answer ends, so the answer that
 * crosses the limit is still sent and the next one is refused.
 */
export function countMeshGets(ctx: Context): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      next();
      return;
    }
    const network = requestNetwork(req, ctx.trustedProxies);
    ctx.readLimiter.assertRoom('mesh_get_bytes_per_network_minute', network);
    ctx.readLimiter.take('mesh_gets_per_network_minute', network);
    const { socket } = req;
    const before = socket.bytesWritten;
    res.once('close', () => {
      // What was sent, headers and compression counted.
      const sent = socket.bytesWritten - before;
      ctx.readLimiter.add('mesh_get_bytes_per_network_minute', network, sent);
    });
    next();
  };
}
