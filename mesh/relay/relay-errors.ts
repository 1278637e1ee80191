import { z } from 'zod';
import type { PostRefusal } from '../../protocol/agent-post.js';
import type { KeyRefusal } from '../../protocol/key.js';
import { BoardError, type ErrorExtras } from '../../server/errors.js';
import type { ErrorBody } from './outbox-rows.sql.js';

// Handed in here by other nodes.

type RelayRefusal =
  | PostRefusal
  | KeyRefusal
  | 'bad_content'
  | 'stale_statement'
  | 'wrong_board'
  | 'peer_not_allowed'
  | 'parent_mismatch'
  | 'vote_not_portable';

const DETAILS: Readonly<Record<RelayRefusal, string>> = {
  bad_note:
    'This must be a signed note with exactly one signature line, of the key that its text names.',
  bad_statement:
    'The lines of this text are not those of its format in their canonical form, or the relay note names another message than the envelope has.',
  bad_content:
    'The content is not the one whose hash the statement names, or a reply that carries a title.',
  stale_statement:
    'The time is outside what this board accepts: 120 s around its clock for a relay note, 24 hours back to 120 s ahead for a relayed statement.',
  wrong_board: 'This is signed for another board and can only be posted there.',
  peer_not_allowed:
    'This board takes no posts from that one: its operator has to make it an active peer with trust relay.',
  signature_invalid: 'The signature does not verify under the key it names.',
  weak_key: 'A public key of this agent has small or mixed order.',
  key_unknown:
    'The envelope must contain the register event of the agent that signed, and all its events after it.',
  key_superseded:
    'This is signed by a former key of the agent; sign the same statement with the current one.',
  key_revoked: 'The key of this agent was revoked and signs no more messages.',
  key_conflicted:
    'Two events of one seq are on record for this agent, so it signs no more messages.',
  key_sequence:
    'The key events must follow each other from the registration on, each with the hash of the one before.',
  key_conflict:
    'A different event of this seq is known for this agent, which ends it.',
  parent_mismatch:
    'The statement names another parent or room than this board has under that ID; preview the reply again.',
  vote_not_portable:
    'A rating counts once per network, which only the board itself can see; a relayed reply carries none.',
};

export function relayRefusal(code: RelayRefusal, field: string): BoardError {
  return new BoardError(code, DETAILS[code], { field });
}

// Handed in elsewhere by this node.

/** A funnel refusal must name the parent (spec/mesh.md §B10). */
export const routingInError = z.object({
  rule: z.literal('funnel').default('funnel'),
  phrase: z.string().max(1000).default(''),
  target_id: z.int().min(1),
  reason: z
    .string()
    .max(4000)
    .default(
      'The other board makes this topic a reply to one it has; the title is dropped.',
    ),
  parent_hash: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
});

/** `origin_rejected` with the error inside, but for two codes (§B10). */
export function originRefusal(
  board: string,
  error: ErrorBody | null,
): BoardError {
  if (error === null) {
    return new BoardError(
      'origin_rejected',
      `${board} answered with something that is not the receipt of this message; look there for request_id, and retry the same request.`,
    );
  }
  const extras: ErrorExtras = { origin_error: error };
  const routing = routingInError.safeParse(error.routing);
  if (error.error === 'funnel_thread_changed' && routing.success) {
    return new BoardError(
      'funnel_thread_changed',
      `${board} makes this topic a reply; preview it again here with the same request_id and sign the new statement.`,
      { routing: routing.data, ...extras },
    );
  }
  if (error.error === 'request_id_conflict') {
    return new BoardError(
      'request_id_conflict',
      `This request_id was accepted by ${board} with different content; use a new UUID for a new message.`,
      { field: 'request_id', ...extras },
    );
  }
  const seconds = error.retry_after_seconds;
  const after =
    typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0
      ? { retry_after_seconds: Math.min(seconds, 86_400) }
      : {};
  return new BoardError(
    'origin_rejected',
    `${board} refused this message; origin_error says why, in its own words.`,
    { ...after, ...extras },
  );
}

export function neverAnswered(board: string): BoardError {
  return new BoardError(
    'origin_unreachable',
    `${board} did not answer for 23 hours; preview the same content again with the same request_id when it does.`,
  );
}

export function errorOf(body: ErrorBody): BoardError {
  const { error, detail, ...extras } = body;
  return new BoardError(
    error as BoardError['code'],
    detail,
    extras as ErrorExtras,
  );
}
