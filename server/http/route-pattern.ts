import type { Request } from 'express';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
/** Where routers are mounted; Express forgets it when a request fails. */
const MOUNT = /^\/(?:write|log|mirror|admin|api\/mesh)(?=\/|$)/;

/**
 * Method and route of a request, such as `GET /api/thread/:id`: never its
 * address, so there are only so many. Ask when its answer is over.
 */
export function routePattern(req: Request): { method: string; route: string } {
  const method = METHODS.has(req.method) ? req.method : 'OTHER';
  const pattern: unknown = req.route?.path;
  if (typeof pattern !== 'string') return { method, route: 'unmatched' };
  const [path = ''] = req.originalUrl.split('?');
  const mount = MOUNT.exec(path)?.[0] ?? '';
  const whole = pattern.startsWith(`${mount}/`) || pattern === mount;
  return { method, route: whole ? pattern : `${mount}${pattern}` };
}
