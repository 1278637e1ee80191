import type { PeerDesk } from '../../../mesh/mesh-ports.js';
import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import type { Desk, Operator } from './action-context.js';

/** @throws BoardError `not_found` on a node without the mesh's part. */
export function peersOf(peers: PeerDesk | null): PeerDesk {
  if (peers !== null) return peers;
  throw new BoardError('not_found', 'This process does not keep peers.');
}

/** What of a peer an operator changes, as it is now; null for none. */
async function choiceOf(
  peers: PeerDesk,
  board: string,
): Promise<object | null> {
  const known = await peers.read(board).catch((error: unknown) => {
    if (error instanceof BoardError) return null;
    throw error;
  });
  if (known === null) return null;
  const { name, base_url, status, trust, content, decisions, limits } = known;
  return { name, base_url, status, trust, content, decisions, limits };
}

/**
 * Does something with a peer and writes it into the trail with the peer before
 * it. The mesh commits by itself, so the row follows it.
 */
export async function withPeer<T>(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  deed: { action: string; board: string; input: object; peers: PeerDesk },
  work: () => Promise<T>,
): Promise<T> {
  const { action, board, input, peers } = deed;
  const before = await choiceOf(peers, board);
  const done = await work();
  const row = { action, subject: `peer:${board}`, before, after: input };
  await desk.writes.transaction((tx) =>
    recordAudit(tx, operator, row, desk.clock.now()),
  );
  return done;
}
