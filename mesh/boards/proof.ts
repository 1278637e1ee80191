import type { ProofCosigner } from '../../protocol/proof.js';
import { formatVkey } from '../../protocol/vkey.js';
import {
  assembleProof,
  notSigned,
  proofAnswer,
  proofQuery,
  sendProof,
} from '../../server/agents/index.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { anyId } from '../../server/http/openapi/parameters.js';
import { meshRead } from '../serve/log-reads.js';
import { unknownMessage } from './message.js';
import {
  hiddenHere,
  type MirroredBoard,
  mirroredBoard,
} from './mirrored-board.js';
import { type MirroredFacts, mirroredFacts } from './mirrored-rows.sql.js';
import { boardName } from './parameters.js';

/**
 * The proof of a mirrored message, checked against its ORIGIN's log key, with
 * this node's cosignature where it covers the entry; also after removal
 * (spec/mesh.md §B5, §B9).
 */
export const readMirroredProof = readEndpoint({
  get: '/api/mesh/boards/:name/messages/:id/proof',
  id: 'readMirroredProof',
  tag: 'Mesh',
  summary: 'The proof of a mirrored message',
  description:
    "Checks offline with the pinned key of its ORIGIN's log; names this node among the cosigners where it cosigned the checkpoint.",
  ...meshRead,
  params: { name: boardName, id: anyId },
  missing: unknownMessage,
  query: () => proofQuery,
  answers: () => ({ 200: proofAnswer }),
  errors: [
    'unknown_board',
    'message_not_found',
    'not_signed',
    'hidden_by_operator',
    'unavailable',
  ],
  handle: (ctx) => {
    const { vkey } = ctx.keys.mirror;
    const us: ProofCosigner = {
      name: vkey.name,
      vkey: formatVkey(vkey),
      board: ctx.board.name,
    };
    return async ({ params: { name, id }, query: { format }, req, res }) => {
      const board = await mirroredBoard(ctx, name);
      const found = await factsOf(ctx.reads, board, id, us);
      if (found === null) throw unknownMessage();
      const { facts, originId } = found;
      const { agent_id, size, checkpoint, cosignature } = facts;
      if (agent_id === null) throw notSigned("the mirrored log's address");
      if (facts.hidden) throw hiddenHere();
      if (size === null || checkpoint === null) {
        throw new BoardError(
          'unavailable',
          'This node has verified the entry but no signed head beyond it yet; ask again in a moment.',
          { retry_after_seconds: 2 },
        );
      }
      const known = { ...facts, agent_id, size, checkpoint };
      const made = await assembleProof(ctx.reads, id, known, originId);
      const proof =
        cosignature === null
          ? made
          : { ...made, checkpoint: checkpoint + cosignature, cosigners: [us] };
      sendProof(req, res, proof, format);
      return SENT;
    };
  },
});

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
