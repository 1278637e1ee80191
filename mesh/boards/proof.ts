import type { ProofCosigner } from '../../protocol/proof.js';
import { formatVkey } from '../../protocol/vkey.js';
import { proofAnswer, proofQuery } from '../../server/agents/proofs/answers.js';
import { assembleProof } from '../../server/agents/proofs/assemble-proof.js';
import type { ProofFacts } from '../../server/agents/proofs/proof-facts.js';
import { notSigned, sendProof } from '../../server/agents/proofs/send-proof.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { anyId } from '../../server/http/openapi/parameters.js';
import { meshRead } from '../serve/log/mesh-read.js';
import { hiddenHere } from './hidden.js';
import { unknownMessage } from './message.js';
import { type MirroredBoard, mirroredBoard } from './mirrored-board.js';
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
      if (size === null || checkpoint === null) throw noHeadYet();
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

function noHeadYet(): BoardError {
  return new BoardError(
    'unavailable',
    'This node has verified the entry but no signed head beyond it yet; ask again in a moment.',
    { retry_after_seconds: 2 },
  );
}

/** With our cosignature of the checkpoint, where there is one. */
type MirroredFacts = Omit<ProofFacts, 'size' | 'checkpoint'> & {
  hidden: boolean;
  /** Null while no stored checkpoint covers the entries. */
  size: number | null;
  checkpoint: string | null;
  cosignature: string | null;
};

/** Of a checkpoint: beyond the entries, within the tree that is here. */
const covers = (c: string) => `${c}.size <= s.size
  AND ${c}.size > greatest(m.log_index, coalesce(r.idx, 0))`;

/**
 * $1 log, $2 message, $3 and $4 our cosigner's name and key. A removal that a
 * later generation of the log holds is not of this tree, whatever its index.
 */
const FACTS = `SELECT s.board, s.origin, s.log_vkey, m.agent_id, m.key_seq,
    ARRAY(SELECT k.note FROM agent_key_event k
      WHERE k.origin_id = $1 AND k.agent_id = m.agent_id
        AND k.idx < m.log_index ORDER BY k.idx) AS keys,
    m.log_index, e.leaf, m.salt, m.author, m.title, m.body, m.poll,
    m.hidden_at IS NOT NULL AS hidden,
    r.idx AS removal_index, r.leaf AS removal_leaf,
    coalesce(cosigned.size, newest.size) AS size,
    coalesce(cosigned.note, newest.note) AS checkpoint,
    cosigned.line AS cosignature
  FROM mirror_message m
    JOIN log_state s ON s.origin_id = $1
    JOIN log_entry e ON e.origin_id = $1 AND e.idx = m.log_index
    LEFT JOIN mirror_decision d ON m.status = 'removed' AND d.origin_id = $1
      AND d.idx = m.removal_index AND d.target = m.message_hash
      AND d.at = m.removal_at
    LEFT JOIN log_entry r ON r.origin_id = $1 AND r.idx = d.idx
    LEFT JOIN LATERAL (SELECT k.size, c.note, k.line
      FROM log_cosignature k
        JOIN log_checkpoint c ON c.origin_id = $1 AND c.size = k.size
      WHERE k.origin_id = $1 AND k.cosigner = $3 AND k.vkey = $4 AND ${covers('k')}
      ORDER BY k.size DESC LIMIT 1) AS cosigned ON true
    LEFT JOIN LATERAL (SELECT c.size, c.note FROM log_checkpoint c
      WHERE c.origin_id = $1 AND ${covers('c')}
      ORDER BY c.size DESC LIMIT 1) AS newest ON cosigned.size IS NULL
  WHERE m.origin_id = $1 AND m.id = $2 AND m.status <> 'invalid'`;

/**
 * What this node holds of a mirrored message and its entry; null for a message
 * it does not mirror. A checkpoint that we cosigned goes before newer ones.
 */
async function mirroredFacts(
  sql: Sql,
  originId: number,
  id: number,
  cosigner: { name: string; vkey: string },
): Promise<MirroredFacts | null> {
  const [row] = await sql.query<MirroredFacts>(FACTS, [
    originId,
    id,
    cosigner.name,
    cosigner.vkey,
  ]);
  return row ?? null;
}
