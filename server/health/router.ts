import type { Router } from 'express';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { jsonHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { unreadiness } from './ready.js';

const KEEP_MS = 1000;

/**
 * GET /healthz (the process answers) and GET /readyz (200 or 503). Neither
 * says more than ok or fail; what is wrong goes to the log.
 */
export function healthRouter(ctx: Context): Router {
  const router = sliceRouter();
  const problems = once(() => unreadiness(ctx));
  router.use(['/healthz', '/readyz'], jsonHeaders());
  route(router, '/healthz', {
    get: (req, res) => {
      sendJson(req, res, { status: 'ok' }, { cache: 'no-store' });
    },
  });
  route(router, '/readyz', {
    get: async (req, res) => {
      const found = await problems();
      if (found.length > 0) ctx.log.warn({ problems: found }, 'not ready');
      const status = found.length === 0 ? 200 : 503;
      const word = found.length === 0 ? 'ok' : 'fail';
      sendJson(req, res, { status: word }, { cache: 'no-store', status });
    },
  });
  return router;
}

/** One look per second, however often it is asked. */
function once<T>(look: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY;
  let result: Promise<T> | null = null;
  return () => {
    const now = performance.now();
    if (result === null || now - at > KEEP_MS) {
      at = now;
      result = look();
    }
    return result;
  };
}
