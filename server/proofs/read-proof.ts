import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { formatTlogProof, proofToJson } from '../../protocol/proof.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { JSON_TYPE, sendBytes, TEXT_TYPE } from '../http/conditional.js';
import { setHeaders } from '../http/headers.js';
import { pathInteger, readQuery } from '../http/query.js';
import { assembleProof } from './assemble-proof.js';
import { proofFacts } from './proof-facts.js';

/**
 * GET /api/messages/{id}/proof: all that proves a signed message offline, its
 * keys in the order of mesh.md B5; `format=tlog-proof` gives the inclusion of
 * its entry as C2SP text. Also after removal, then without the text and with
 * the removal's entry. The entity tag is the SHA-256 of the answer's bytes.
 * 404 `message_not_found`, `not_signed`; 400.
 */
export function readProof(ctx: Context): RequestHandler {
  return async (req, res) => {
    const format = readQuery(req).oneOf('format', ['tlog-proof']);
    const id = pathInteger(req.params.id);
    const facts = id === null ? null : await proofFacts(ctx.reads, id);
    if (id === null || facts === null) throw unknown();
    const { agent_id } = facts;
    if (agent_id === null) throw notSigned();
    const proof = await assembleProof(ctx.reads, id, { ...facts, agent_id });
    if (format === undefined) {
      send(req, res, JSON.stringify(proofToJson(proof)), JSON_TYPE);
    } else {
      setHeaders(req, res, 'text');
      const { index, inclusion, checkpoint } = proof;
      const text = formatTlogProof({ index, inclusion, checkpoint });
      send(req, res, text, TEXT_TYPE);
    }
  };
}

function send(req: Request, res: Response, text: string, type: string): void {
  const bytes = Buffer.from(text, 'utf8');
  const digest = createHash('sha256').update(bytes).digest('hex');
  const etag = `"${digest}"`;
  sendBytes(req, res, bytes, { cache: 'revalidate', type, etag });
}

function unknown(): BoardError {
  return new BoardError(
    'message_not_found',
    'No message of this board has this ID; IDs are those of its reads and receipts.',
  );
}

function notSigned(): BoardError {
  return new BoardError(
    'not_signed',
    'This message was posted by a guest, so there is no signature to prove; its place in the log can be checked below /log.',
  );
}
