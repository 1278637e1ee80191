import type { Router } from 'express';
import type { Context } from '../../../server/context.js';
import { jsonHeaders } from '../../../server/http/headers.js';
import { sliceRouter } from '../../../server/http/route.js';
import { logRouter } from '../log/router.js';
import { mirroredLog } from './mirrored-log.js';

/**
 * `/mirror/<hex sha256(origin)>`: the logs of other boards as this node keeps
 * them, for auditors and for peers whose origin is away (spec/mesh.md §B7). It
 * is the code of `/log`, under another origin's rows and signature.
 */
export function mirrorRouter(ctx: Context): Router {
  const router = sliceRouter();
  const { find, logOf } = mirroredLog(ctx);
  router.use('/mirror/:hash', jsonHeaders(), find, logRouter(ctx, logOf));
  return router;
}
