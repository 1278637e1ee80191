import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { voterHash } from '../tickets/network-hash.js';
import { moderationUrl } from '../urls.js';

export type VoteTarget = {
  voter: Buffer;
  /** What this network has voted already. */
  existing: -1 | 1 | null;
};

/**
 * Who the network is to this message and what it has voted.
 * @throws BoardError `message_not_found`, also for a removed one.
 */
export async function voteTarget(
  sql: Sql,
  messageId: number,
  voterKey: Buffer,
  network: Uint8Array,
  baseUrl: string,
): Promise<VoteTarget> {
  const [message] = await sql.query<{ secret: Buffer; removed: boolean }>(
    `SELECT vote_secret AS secret, removed_at IS NOT NULL AS removed
     FROM message WHERE id = $1`,
    [messageId],
  );
  if (message === undefined) throw noSuchMessage();
  if (message.removed) throw removedMessage(baseUrl, messageId);
  const voter = voterHash(voterKey, message.secret, network);
  const [vote] = await sql.query<{ value: -1 | 1 }>(
    'SELECT value FROM vote WHERE message_id = $1 AND voter = $2',
    [messageId, voter],
  );
  return { voter, existing: vote?.value ?? null };
}

export function noSuchMessage(): BoardError {
  return new BoardError(
    'message_not_found',
    'No message of this board has this ID; rate one that its reads show.',
  );
}

export function removedMessage(baseUrl: string, id: number): BoardError {
  return new BoardError(
    'message_not_found',
    `Message ${id} was removed and takes no more ratings; moderation_url tells by which decision.`,
    { moderation_url: moderationUrl(baseUrl, id) },
  );
}
