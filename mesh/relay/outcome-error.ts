import { z } from 'zod';
import { BoardError, type ErrorExtras } from '../../server/errors.js';
import type { ErrorBody } from './outbox-rows.js';

/**
 * What a funnel refusal of another board must say (spec/mesh.md §B10): the
 * parent it needs. Its words about that are a courtesy of this software.
 */
export const foreignRouting = z.object({
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

/**
 * How another board's refusal is passed on (spec/mesh.md §B10): as
 * `origin_rejected` with it inside. Two have a meaning of their own for whoever
 * posts, and keep their code: a funnel that needs another parent, and a
 * request_id that stands for other content.
 */
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
  const routing = foreignRouting.safeParse(error.routing);
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

/** The error of a post that its board never answered for. */
export function neverAnswered(board: string): BoardError {
  return new BoardError(
    'origin_unreachable',
    `${board} did not answer for 23 hours; preview the same content again with the same request_id when it does.`,
  );
}

/** A stored error as it was first thrown. */
export function errorOf(body: ErrorBody): BoardError {
  const { error, detail, ...extras } = body;
  return new BoardError(
    error as BoardError['code'],
    detail,
    extras as ErrorExtras,
  );
}
