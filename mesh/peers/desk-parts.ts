import { formatVkey } from '../../protocol/vkey.js';
import type { Clock } from '../../server/clock.js';
import type { Database } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import type { Limits } from '../../server/limits.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { findPeer, type PeerRow } from './peer-row.js';

const PRINTABLE = /^[!-~]{1,300}$/;

/** What the operations on peers need, of a node or of the command line. */
export type DeskParts = {
  db: Database;
  clock: Clock;
  limits: Limits;
  keys: Pick<BoardKeys, 'mirror'>;
  board: { name: string; origin: string };
  client: PeerClient;
};

export function ownMirrorVkey({ keys }: Pick<DeskParts, 'keys'>): string {
  return formatVkey(keys.mirror.vkey);
}

/** @throws BoardError `unknown_board` */
export async function requirePeer(
  parts: Pick<DeskParts, 'db' | 'keys'>,
  board: string,
): Promise<PeerRow> {
  const row = PRINTABLE.test(board)
    ? await findPeer(parts.db, ownMirrorVkey(parts), board)
    : null;
  if (row !== null) return row;
  throw new BoardError(
    'unknown_board',
    `No peer has the name or URL ${JSON.stringify(board.slice(0, 120))}; "peer list" shows them.`,
  );
}

/** Not possible in the state the peer is in. */
export function conflict(detail: string): BoardError {
  return new BoardError('decision_conflict', detail);
}

export function invalid(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}
