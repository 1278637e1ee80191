import type { Request, RequestHandler, Response } from 'express';
import { sendPacked } from '../http/send-compressed.js';
import type { Rendered } from './render.js';

type Sent = Pick<Rendered, 'bytes' | 'type'>;

/** GET of one document: the very bytes that were hashed, and their type. */
export function document(ask: () => Sent): RequestHandler {
  return (req, res) => sendDocument(req, res, ask());
}

/** Sends the very bytes that were hashed, and their type. */
export function sendDocument(
  req: Request,
  res: Response,
  { bytes, type }: Sent,
): void {
  sendPacked(req, res, bytes, { cache: 'revalidate', type });
}

/** A value as a document of JSON, serialised once. */
export function jsonDocument(value: object, type: string): Sent {
  return { bytes: Buffer.from(JSON.stringify(value), 'utf8'), type };
}
