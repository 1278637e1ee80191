import { randomBytes } from 'node:crypto';
import type { AppContext } from '../context.js';
import { BoardError } from '../errors.js';
import type { ForeignFacts } from '../../mesh/ports-relay.js';
import { makeDraft, type Parent } from './draft.js';
import { asAccepted, type Prepared } from './prepare.js';
import { noSuchTarget } from './preview-facts.js';
import { signingKey, signingOf } from './signing.js';
import { pollOnReply, type Submission } from './submission.js';

/**
 * Prepares a message for another board (spec/mesh.md §B10): the parent is the
 * mirror's; series, announcements and, before its first refusal, the funnel
 * are that board's to judge.
 *
 * @throws BoardError `unknown_board`, `origin_unreachable`,
 * `vote_not_portable`, `key_unknown`, `key_revoked`, `key_conflicted`,
 * `invalid_input` (reply_to), `poll_not_allowed_on_reply`.
 */
export async function prepareForeign(
  ctx: AppContext,
  it: Submission & { board: string },
  contentHash: Buffer,
  now: number,
): Promise<Prepared> {
  const { board, requestId, replyTo } = it;
  const asked = { board, requestId, contentHash };
  const facts = await ctx.relay.facts(asked, replyTo);
  if (it.vote !== 0) throw voteStays();
  const { accepted } = facts;
  const key = await signingKey(ctx, it, accepted !== null);
  const routing = accepted === null ? facts.routing : null;
  if (routing !== null && it.poll !== null) throw pollOnReply();
  const parent = accepted === null ? parentOf(it, facts) : facts.parent;
  const salt = it.salt ?? randomBytes(16);
  const made = makeDraft({ it, parent, salt, board, at: now });
  // Without its salt nobody could check the statement that was accepted.
  const draft =
    accepted?.salt && accepted.contentHash.equals(contentHash)
      ? asAccepted(made, accepted)
      : made;
  return {
    draft,
    existingVote: null,
    routing:
      routing === null
        ? null
        : {
            rule: 'funnel',
            phrase: routing.phrase,
            target_id: routing.target.id,
            reason: routing.reason,
          },
    warnings: [],
    signing: signingOf(draft.statement, key),
  };
}

function parentOf(it: Submission, facts: ForeignFacts): Parent | null {
  if (it.replyTo === null) return facts.routing?.target ?? null;
  if (facts.parent !== null && !facts.parent.removed) return facts.parent;
  throw noSuchTarget(it.replyTo);
}

function voteStays(): BoardError {
  return new BoardError(
    'vote_not_portable',
    'A rating counts once per network, which only the board itself can see; leave vote out, or post this on that board.',
    { field: 'vote' },
  );
}
