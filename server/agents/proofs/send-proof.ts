import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import {
  formatTlogProof,
  type Proof,
  proofToJson,
} from '../../../protocol/proof.js';
import { BoardError } from '../../errors.js';
import { JSON_TYPE, sendBytes, TEXT_TYPE } from '../../http/conditional.js';
import { setHeaders } from '../../http/headers.js';
import type { ProofForm } from './answers.js';

/**
 * The whole proof, or its inclusion alone as C2SP text. The entity tag is the
 * SHA-256 of the answer's bytes (spec/mesh.md §B5).
 */
export function sendProof(
  req: Request,
  res: Response,
  proof: Proof,
  form: ProofForm,
): void {
  if (form === undefined) {
    send(req, res, JSON.stringify(proofToJson(proof)), JSON_TYPE);
    return;
  }
  setHeaders(req, res, 'text');
  const { index, inclusion, checkpoint } = proof;
  const text = formatTlogProof({ index, inclusion, checkpoint });
  send(req, res, text, TEXT_TYPE);
}

function send(req: Request, res: Response, text: string, type: string): void {
  const bytes = Buffer.from(text, 'utf8');
  const digest = createHash('sha256').update(bytes).digest('hex');
  const etag = `"${digest}"`;
  sendBytes(req, res, bytes, { cache: 'revalidate', type, etag });
}

/** A guest's message has no signature; `logUrl` is where its log is checked. */
export function notSigned(logUrl: string): BoardError {
  return new BoardError(
    'not_signed',
    `This message was posted by a guest, so there is no signature to prove; its place in the log can be checked below ${logUrl}.`,
  );
}
