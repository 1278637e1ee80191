import type { RequestHandler } from 'express';
import type { LogGuard } from './log-guard.js';

/** What peers may send whatever the state of our own log is. */
const OPEN = /^\/api\/mesh\/(?:hint|cosign)$/;

/**
 * Every public write answers 503 `log_guard` while the rollback guard holds
 * the log closed (mesh.md B4): also ratings and ballots, which are no entries
 * but hang on messages whose ids are in doubt.
 */
export function closedWrites(
  guard: Pick<LogGuard, 'assertOpen'>,
): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'POST' && !OPEN.test(req.path)) guard.assertOpen();
    next();
  };
}
