import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';

/** What posting to and from a peer has to know of it. */
export type RelayPeer = {
  originId: number;
  name: string;
  origin: string;
  baseUrl: string;
  logVkey: Vkey;
  nodeVkey: Vkey;
  status: 'pending' | 'active' | 'paused' | 'quarantined' | 'blocked';
  trust: 'witness' | 'proofs' | 'mirror' | 'relay';
  /** Null before anything of its log was mirrored. */
  mirroredSize: number | null;
};

type Row = {
  origin_id: number;
  name: string;
  origin: string;
  base_url: string;
  log_vkey: string;
  node_vkey: string;
  status: RelayPeer['status'];
  trust: RelayPeer['trust'];
  size: number | null;
};

/** The peer of a board name; null for a board that is no peer. */
export async function findRelayPeer(
  sql: Sql,
  board: string,
): Promise<RelayPeer | null> {
  const [row] = await sql.query<Row>(
    `SELECT p.origin_id, p.name, p.origin, p.base_url, p.log_vkey,
       p.node_vkey, p.status, p.trust, s.size
     FROM peer p LEFT JOIN log_state s ON s.origin_id = p.origin_id
     WHERE p.name = $1`,
    [board],
  );
  if (row === undefined) return null;
  return {
    originId: row.origin_id,
    name: row.name,
    origin: row.origin,
    baseUrl: row.base_url,
    logVkey: vkeyOf(row.log_vkey),
    nodeVkey: vkeyOf(row.node_vkey),
    status: row.status,
    trust: row.trust,
    mirroredSize: row.size,
  };
}

function vkeyOf(text: string): Vkey {
  const parsed = parseVkey(text);
  if (!parsed.ok) throw new Error('a stored verifier key is none');
  return parsed.value;
}

/**
 * The peer that a post is for: one that is being followed, whose log is
 * mirrored here, because the parent's hash comes from the mirror.
 * @throws BoardError `unknown_board`, `origin_unreachable`.
 */
export async function targetPeer(sql: Sql, board: string): Promise<RelayPeer> {
  const peer = await findRelayPeer(sql, board);
  if (peer === null || ['pending', 'blocked'].includes(peer.status)) {
    throw new BoardError(
      'unknown_board',
      'This node knows no board of that name; GET /api/mesh/boards lists those it does, or post on that board itself.',
      { field: 'board' },
    );
  }
  const mirrored = peer.trust !== 'witness' && (peer.mirroredSize ?? 0) > 0;
  if (peer.status === 'active' && mirrored) return peer;
  throw unreachable(board);
}

export function unreachable(board: string): BoardError {
  return new BoardError(
    'origin_unreachable',
    `This node has no readable copy of ${board} just now, so it cannot post there; try another node or that board itself.`,
    { field: 'board', retry_after_seconds: 60 },
  );
}
