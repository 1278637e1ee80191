import type { RequestHandler } from 'express';

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts U+FFFD where the escapes of a path are no UTF-8: such a segment names
 * nothing, and what is missing is for its resource to say (spec/board.md §1.4).
 * Routers would refuse the whole address instead.
 */
export function readablePath(): RequestHandler {
  return (req, _res, next) => {
    const [path = '', ...query] = req.url.split('?');
    if (path.includes('%') && !isDecodable(path)) {
      const segments = path
        .split('/')
        .map((segment) => (isDecodable(segment) ? segment : '%EF%BF%BD'));
      req.url = [segments.join('/'), ...query].join('?');
    }
    next();
  };
}
