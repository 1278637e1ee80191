import type { RequestHandler } from 'express';
import { sendPacked } from '../http/send-packed.js';
import type { Rendered } from './render.js';

/** GET of one document: the very bytes that were hashed at the start. */
export function document({
  bytes,
  type,
}: Pick<Rendered, 'bytes' | 'type'>): RequestHandler {
  return (req, res) => {
    sendPacked(req, res, bytes, { cache: 'revalidate', type });
  };
}
