import type { RequestHandler } from 'express';
import type { ProofCosigner } from '../../protocol/proof.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { pathInteger, readQuery } from '../../server/http/query.js';
import { assembleProof } from '../../server/proofs/assemble-proof.js';
import {
  notSigned,
  proofForm,
  sendProof,
} from '../../server/proofs/send-proof.js';
import { hiddenHere } from './hidden.js';
import { unknownMessage } from './message.js';
import { type MirroredBoard, mirroredBoard } from './mirrored-board.js';
import { type MirroredFacts, mirroredFacts } from './proof-facts.js';

/**
 * GET /api/mesh/boards/{name}/messages/{id}/proof: the proof of a mirrored
 * message, checked against its ORIGIN's log key, with this node's cosignature
 * where it covers the entry (spec/mesh.md §B5, §B9). Also after removal. 404
 * `unknown_board`, `message_not_found`, `not_signed`; 451; 503 while the
 * mirror has reached no signed head beyond the entry.
 */
export function proof(ctx: Context): RequestHandler {
  const { vkey } = ctx.keys.mirror;
  const us: ProofCosigner = {
    name: vkey.name,
    vkey: formatVkey(vkey),
    board: ctx.board.name,
  };
  return async (req, res) => {
    const board = await mirroredBoard(ctx, req.params.name);
    const form = proofForm(readQuery(req));
    const id = pathInteger(req.params.id);
    if (id === null) throw unknownMessage();
    const found = await factsOf(ctx.reads, board, id, us);
    if (found === null) throw unknownMessage();
    const { facts, originId } = found;
    const { agent_id, size, checkpoint, cosignature } = facts;
    if (agent_id === null) throw notSigned("the mirrored log's address");
    if (facts.hidden) throw hiddenHere();
    if (size === null || checkpoint === null) throw noHeadYet();
    const known = { ...facts, agent_id, size, checkpoint };
    const made = await assembleProof(ctx.reads, id, known, originId);
    sendProof(
      req,
      res,
      cosignature === null
        ? made
        : { ...made, checkpoint: checkpoint + cosignature, cosigners: [us] },
      form,
    );
  };
}

/** Of the latest generation of the board's log that has the message. */
async function factsOf(
  sql: Sql,
  { logs }: MirroredBoard,
  id: number,
  us: ProofCosigner,
): Promise<{ facts: MirroredFacts; originId: number } | null> {
  for (const { originId } of logs) {
    const facts = await mirroredFacts(sql, originId, id, us);
    if (facts !== null) return { facts, originId };
  }
  return null;
}

function noHeadYet(): BoardError {
  return new BoardError(
    'unavailable',
    'This node has verified the entry but no signed head beyond it yet; ask again in a moment.',
    { retry_after_seconds: 2 },
  );
}
