import type { PollContent } from '../../../protocol/content.js';
import type { ProofCosigner } from '../../../protocol/proof-json.js';
import { pollContentOfRoot } from '../../polls/poll-row.js';
import type { Sql } from '../../db/sql.js';
import { ownLogOf } from '../../ledger/own-logs.js';
import { cosignedCheckpoint } from './cosigned-checkpoint.js';

/** All that a proof says but its hashes; text is null once removed. */
export type ProofFacts = {
  board: string;
  origin: string;
  log_vkey: string;
  agent_id: string | null;
  key_seq: number | null;
  /** The agent's key notes up to the post, in the log's order. */
  keys: string[];
  log_index: number;
  leaf: Buffer;
  salt: Buffer | null;
  author: string | null;
  title: string | null;
  body: string | null;
  poll: PollContent | null;
  removal_index: number | null;
  removal_leaf: Buffer | null;
  size: number;
  checkpoint: string;
  /** Whose lines `checkpoint` carries. */
  cosigners?: ProofCosigner[];
};

/** With the own log, current or closed, that holds the entry. */
type OwnFacts = ProofFacts & { origin_id: number };

const FACTS = `SELECT s.origin_id, s.board, s.origin, s.log_vkey, m.agent_id, m.key_seq,
    ARRAY(SELECT k.note FROM agent_key_event k
      WHERE k.origin_id = s.origin_id AND k.agent_id = m.agent_id
        AND k.idx < m.log_index ORDER BY k.idx) AS keys,
    m.log_index, e.leaf, m.salt, m.author, m.title, m.body,
    ${pollContentOfRoot('m')} AS poll,
    r.idx AS removal_index, r.leaf AS removal_leaf, c.size,
    c.note AS checkpoint
  FROM message m
    JOIN log_state s ON s.origin_id = ${ownLogOf('m.id')}
    JOIN log_entry e ON e.origin_id = s.origin_id AND e.idx = m.log_index
    LEFT JOIN decision d ON d.id = m.removed_by
    LEFT JOIN log_entry r ON r.origin_id = s.origin_id
      AND s.generation = d.generation AND r.idx = d.log_index
    CROSS JOIN LATERAL (SELECT size, note FROM log_checkpoint
      WHERE origin_id = s.origin_id ORDER BY size DESC LIMIT 1) AS c
  WHERE m.id = $1`;

/**
 * What the board knows of a message and its entry, null for an ID never
 * issued. The checkpoint is the one that most active peers cosigned of those
 * that cover the entry and its removal; without any the newest (spec/mesh.md
 * §B5).
 */
export async function proofFacts(
  sql: Sql,
  id: number,
): Promise<OwnFacts | null> {
  const [row] = await sql.query<OwnFacts>(FACTS, [id]);
  if (row === undefined) return null;
  const covered = Math.max(row.log_index, row.removal_index ?? 0);
  const cosigned = await cosignedCheckpoint(sql, row.origin_id, covered);
  return { ...row, ...cosigned };
}
