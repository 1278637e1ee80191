import type { RequestHandler } from 'express';
import type { LogGuard } from './log-guard.js';

/**
 * What may be sent whatever the state of our own log is: notes of peers, and
 * the tools, of which most read; those that write go through here once more.
 */
const OPEN: ReadonlySet<string> = new Set([
  '/api/mesh/hint',
  '/api/mesh/cosign',
  '/mcp',
]);

/** Whether a POST to this path waits for the log. */
export function closesWithLog(path: string): boolean {
  return !OPEN.has(path);
}

/**
 * Every public write answers 503 `log_guard` while the rollback guard holds
 * the log closed (spec/mesh.md §B4): also ratings and ballots, which are no
 * entries but hang on messages whose ids are in doubt.
 */
export function closedWrites(
  guard: Pick<LogGuard, 'assertOpen'>,
): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'POST' && closesWithLog(req.path)) guard.assertOpen();
    next();
  };
}
