import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { BoardError, type SuggestedAction } from '../errors.js';
import type { VotingSteps } from '../http/openapi/two-step.js';
import {
  challengeLocked,
  forgetWrongAnswers,
  lockScope,
  wrongAnswer,
} from './answer-lock.js';
import { CHALLENGE_INSTRUCTION } from './challenge.js';
import {
  type Issued,
  isRightAnswer,
  isSameNetwork,
  type Ticket,
} from './ticket.js';

/** Wrong answers given to a ticket, and until when it is locked, in ms. */
export type AnswerLock = { wrong: number; until: number };

/**
 * How a rating's or ballot's preview goes on to its end (spec/board.md §6.1).
 */
export function votingSteps(
  { ticket, challenge, expiresAt }: Issued,
  publishUrl: string,
): VotingSteps {
  return {
    challenge: challenge.text,
    challenge_instruction: CHALLENGE_INSTRUCTION,
    ticket,
    publish: {
      method: 'POST',
      url: publishUrl,
      content_type: 'application/json',
      json_template: { ticket, answer: 'YOUR_ANSWER' },
    },
    expires_at: publicTime(expiresAt),
  };
}

/**
 * What a ticket of a rating or ballot has to pass once it is known and has no
 * receipt: age, lock, answer, network, in the order of spec/board.md §5.1.
 * Wrong answers count per ticket; only its own network may use it (5.2).
 *
 * @param again the preview to repeat when the ticket is too old.
 * @throws BoardError `ticket_expired`, `challenge_locked`, `wrong_answer`,
 * `network_changed`.
 */
export async function checkVotingTicket(
  ctx: Context,
  ticket: Ticket<unknown>,
  lock: AnswerLock,
  answer: string,
  network: Uint8Array,
  again: SuggestedAction,
): Promise<void> {
  const now = ctx.clock.now();
  if (ticket.expiresAt < now) {
    throw new BoardError(
      'ticket_expired',
      'This ticket is older than its lifetime and nothing was counted with it; preview the same choice again.',
      { suggested_action: again },
    );
  }
  if (lock.until > now) throw challengeLocked(lock.until, now);
  const scope = lockScope({ ticket: ticket.hash });
  if (!isRightAnswer(ticket, ctx.keys.server, answer)) {
    throw await wrongAnswer(ctx.writes, scope, ctx.limits, now);
  }
  if (lock.wrong > 0) await forgetWrongAnswers(ctx.writes, scope, now);
  if (isSameNetwork(ticket, ctx.keys.server, network)) return;
  throw new BoardError(
    'network_changed',
    'A vote belongs to the network that previewed it; preview it again from here.',
  );
}
