import type { CastRating } from '../http/openapi/two-step.js';
import type { Turn } from '../ledger/append-context.js';
import { voterHash } from '../tickets/network-hash.js';
import { castVote } from '../votes/record-vote.js';

type ReplyVote = {
  messageId: number;
  vote: -1 | 1;
  voteSecret: Buffer;
  voterKey: Buffer;
  network: Uint8Array;
  hiddenScore: number;
};

/** `hidden`: the vote hid the topic it was cast on. */
export type CastReplyVote = { outcome: CastRating; hidden: boolean };

/**
 * The rating that travels with a reply, in the reply's own transaction. An
 * existing vote is never changed; the reply is published all the same.
 */
export async function castReplyVote(
  turn: Turn,
  it: ReplyVote,
): Promise<CastReplyVote> {
  const voter = voterHash(it.voterKey, it.voteSecret, it.network);
  const cast = await castVote(turn.tx, {
    messageId: it.messageId,
    voter,
    value: it.vote,
    at: turn.now,
    hiddenScore: it.hiddenScore,
  });
  if (cast === null) throw new Error('a target under the lock was not found');
  const outcome: CastRating = {
    message_id: it.messageId,
    vote: cast.value,
    score: cast.score,
    status: cast.fresh ? 'published' : 'already_voted',
  };
  return { outcome, hidden: cast.hidden };
}
