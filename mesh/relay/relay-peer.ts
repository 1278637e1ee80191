import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import { isPullable } from '../../server/db/pullable.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { serves } from '../peer-port.js';
import { selectPeers } from '../peers/peers.sql.js';

export type RelayPeer = NonNullable<Awaited<ReturnType<typeof findRelayPeer>>>;

/** Null for a board that is no peer. */
export async function findRelayPeer(sql: Sql, board: string) {
  const { entities, raw } = await selectPeers(sql)
    .where('p.name = :board', { board })
    .getRawAndEntities<{ mirrored_size: number | null }>();
  const [peer] = entities;
  if (peer === undefined) return null;
  return {
    ...peer,
    logVkey: vkeyOf(peer.logVkey),
    nodeVkey: vkeyOf(peer.nodeVkey),
    /** Null before anything of its log was mirrored. */
    mirroredSize: raw[0]?.mirrored_size ?? null,
  };
}

function vkeyOf(text: string): Vkey {
  const parsed = parseVkey(text);
  if (!parsed.ok) throw new Error('a stored verifier key is none');
  return parsed.value;
}

/**
 * Followed and mirrored here: the parent's hash comes from the mirror.
 * @throws BoardError `unknown_board`, `origin_unreachable`
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
  if (!serves(peer, 'relay')) {
    throw new BoardError(
      'unknown_board',
      `${board} takes no posts from other nodes; post on that board itself.`,
      { field: 'board' },
    );
  }
  const mirrored = peer.trust !== 'witness' && (peer.mirroredSize ?? 0) > 0;
  if (isPullable(peer) && mirrored) return peer;
  throw unreachable(board);
}

export function unreachable(board: string): BoardError {
  return new BoardError(
    'origin_unreachable',
    `This node has no readable copy of ${board} just now, so it cannot post there; try another node or that board itself.`,
    { field: 'board', retry_after_seconds: 60 },
  );
}
