// By hand: facts of five tables, and the best of all cosigned heads.

import type { ProofCosigner } from '../../../protocol/proof-json.js';
import { pullableSql } from '../../db/pullable.js';
import type { Sql } from '../../db/sql.js';
import type { StoredContent } from '../../db/stored-content.js';
import { ownLogOf } from '../../ledger/own-log.sql.js';
import { pollContentOfRoot } from '../../polls/index.js';

/** A proof without its hashes; text is null once removed. */
export type ProofFacts = StoredContent & {
  board: string;
  origin: string;
  log_vkey: string;
  agent_id: string | null;
  key_seq: number | null;
  /** The agent's key notes up to the post, in the log's order. */
  keys: string[];
  log_index: number;
  leaf: Buffer;
  removal_index: number | null;
  removal_leaf: Buffer | null;
  size: number;
  checkpoint: string;
  /** Whose lines `checkpoint` carries. */
  cosigners?: ProofCosigner[];
};

/** `origin_id`: the own log, current or closed, with the entry. */
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
 * Null for an ID never issued. The checkpoint is the one that most active peers
 * cosigned and that covers the entry and its removal, else the newest
 * (spec/mesh.md §B5).
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

/** Enough unless peers fall behind. */
const NEWEST = 5000;
const EVERYTHING = Number.MAX_SAFE_INTEGER;
/** A note has at most 32 lines, the log's included (spec/mesh.md §B1). */
const LINES_MAX = 31;

// Above size $2: the number of cosigners, and the head with most lines.
const BEST = `WITH active AS (
    SELECT mirror_vkey, name || '/mirror' AS cosigner FROM peer
    WHERE ${pullableSql('peer')}
  ), reachable AS (
    SELECT count(*) AS cosigners FROM active a WHERE EXISTS (
      SELECT 1 FROM log_cosignature c WHERE c.origin_id = $1
        AND c.cosigner = a.cosigner AND c.vkey = a.mirror_vkey AND c.size > $2)
  ), newest AS (
    SELECT size, vkey FROM log_cosignature
    WHERE origin_id = $1 AND size > $2 ORDER BY size DESC LIMIT $3
  )
  SELECT r.cosigners, b.size, b.lines FROM reachable r
  LEFT JOIN LATERAL (
    SELECT n.size, count(*) AS lines
    FROM newest n JOIN active a ON a.mirror_vkey = n.vkey
      JOIN log_checkpoint k ON k.origin_id = $1 AND k.size = n.size
    GROUP BY n.size ORDER BY count(*) DESC, n.size DESC LIMIT 1
  ) b ON r.cosigners > 0`;

const LINES = `SELECT k.note, c.line, c.cosigner AS name, c.vkey,
    p.name AS board
  FROM log_checkpoint k
  JOIN log_cosignature c ON c.origin_id = $1 AND c.size = k.size
  JOIN peer p ON p.mirror_vkey = c.vkey AND ${pullableSql('p')}
  WHERE k.origin_id = $1 AND k.size = $2
  ORDER BY c.cosigner LIMIT ${LINES_MAX}`;

type Best = { cosigners: number; size: number | null; lines: number | null };
type Line = { note: string; line: string } & ProofCosigner;

/** With most active cosigners, then newest; null without any. */
async function cosignedCheckpoint(sql: Sql, originId: number, covered: number) {
  const ask = (rows: number) =>
    sql.query<Best>(BEST, [originId, covered, rows]);
  let [best] = await ask(NEWEST);
  // Every cosigner signed this one: no older head can have more.
  if (best !== undefined && (best.lines ?? 0) < best.cosigners) {
    [best] = await ask(EVERYTHING);
  }
  if (best === undefined || best.size === null) return null;
  const lines = await sql.query<Line>(LINES, [originId, best.size]);
  const [first] = lines;
  if (first === undefined) return null;
  return {
    size: best.size,
    /** Log signature first, then a line per cosigner. */
    checkpoint: first.note + lines.map(({ line }) => line).join(''),
    cosigners: lines.map(({ name, vkey, board }) => ({ name, vkey, board })),
  };
}
