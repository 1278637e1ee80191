import type { RequestHandler } from 'express';
import { BoardError } from '../errors.js';

/**
 * Refuses POSTs that a page of another site made (spec/board.md §1.7, T12): the
 * visitor's network is an authority even without cookies.
 */
export function crossSite(baseUrl: string): RequestHandler {
  const own = new URL(baseUrl).origin;
  return (req, _res, next) => {
    if (req.method !== 'POST') return next();
    const { origin } = req.headers;
    const site = String(req.headers['sec-fetch-site'] ?? '').toLowerCase();
    const foreign = origin !== undefined && origin !== own;
    if (!foreign && !site.includes('cross-site')) return next();
    throw new BoardError(
      'forbidden',
      `Pages of other sites cannot write here; send the request without a browser or from ${own}.`,
    );
  };
}
