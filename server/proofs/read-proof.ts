import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { pathInteger, readQuery } from '../http/query.js';
import { assembleProof } from './assemble-proof.js';
import { proofFacts } from './proof-facts.js';
import { notSigned, proofForm, sendProof } from './send-proof.js';

/**
 * GET /api/messages/{id}/proof: all that proves a signed message offline, its
 * keys in the order of spec/mesh.md §B5; `format=tlog-proof` gives the
 * inclusion of its entry as C2SP text. Also after removal, then without the
 * text and with the removal's entry. 404 `message_not_found`, `not_signed`;
 * 400.
 */
export function readProof(ctx: Context): RequestHandler {
  return async (req, res) => {
    const form = proofForm(readQuery(req));
    const id = pathInteger(req.params.id);
    const facts = id === null ? null : await proofFacts(ctx.lookups, id);
    if (id === null || facts === null) throw unknown();
    const { agent_id } = facts;
    if (agent_id === null) throw notSigned('/log');
    const known = { ...facts, agent_id };
    const { origin_id: log } = facts;
    const proof = await assembleProof(ctx.lookups, id, known, log);
    sendProof(req, res, proof, form);
  };
}

function unknown(): BoardError {
  return new BoardError(
    'message_not_found',
    'No message of this board has this ID; IDs are those of its reads and receipts.',
  );
}
