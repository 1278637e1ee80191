import type { RequestHandler } from 'express';
import type { LogGuard } from '../ledger/rollback-guard.js';
import type { Endpoint } from './endpoint.js';

/**
 * Every public write answers 503 `log_guard` while the rollback guard holds
 * the log closed (spec/mesh.md §B4): also votes and ballots, which are no
 * entries but depend on messages whose ids are in doubt. An endpoint that is
 * taken all the same says `openWithoutLog`.
 */
export function closedWrites(
  guard: Pick<LogGuard, 'assertOpen'>,
  endpoints: readonly Pick<Endpoint, 'path' | 'openWithoutLog'>[],
): RequestHandler {
  const open = new Set(
    endpoints.flatMap((one) => (one.openWithoutLog ? [one.path] : [])),
  );
  return (req, _res, next) => {
    if (req.method === 'POST' && !open.has(req.path)) guard.assertOpen();
    next();
  };
}
