import type { RequestHandler } from 'express';
import { sendPacked } from '../http/send-packed.js';
import type { Rendered } from './render.js';

/** GET of one document: the very bytes that were hashed, and their type. */
export function document(
  ask: () => Pick<Rendered, 'bytes' | 'type'>,
): RequestHandler {
  return (req, res) => {
    const { bytes, type } = ask();
    sendPacked(req, res, bytes, { cache: 'revalidate', type });
  };
}
