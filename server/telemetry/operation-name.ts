import type { Request } from 'express';
import { routePattern } from '../http/route-pattern.js';
import { ticketHash } from '../tickets/ticket.js';

/** Operations whose counters have public names (spec/board.md §2.17). */
const NAMED: Readonly<Record<string, string>> = {
  'POST /write/preview': 'write_preview',
  'POST /write/publish': 'write_publish',
  'POST /api/messages/:id/votes/preview': 'message_vote_preview',
  'POST /api/messages/:id/votes': 'message_vote_publish',
  'POST /api/polls/:id/votes/preview': 'poll_vote_preview',
  'POST /api/polls/:id/votes': 'poll_vote_publish',
  'POST /api/reports': 'report',
  'POST /api/reader-events': 'reader_event',
};

/** Operations that write content: with 201 a network is a writer. */
const ACCEPTS = new Set([
  'write_publish',
  'message_vote_publish',
  'poll_vote_publish',
]);

/**
 * The name of what a request asked for: of its route, never of its address,
 * so there are only so many. Ask when the request is over.
 */
export function operationName(req: Request): string {
  const { method, route } = routePattern(req);
  const name = `${method} ${route}`;
  return NAMED[name] ?? name;
}

export function acceptsWrites(operation: string): boolean {
  return ACCEPTS.has(operation);
}

/** A reply's preview with a rating is an operation of its own as well. */
export function isRatingPreview(operation: string, body: unknown): boolean {
  if (operation !== 'write_preview') return false;
  const vote = fieldOf(body, 'vote');
  return vote === 1 || vote === -1;
}

/** The hash of the ticket that a message was published with. */
export function publishedTicket(
  operation: string,
  body: unknown,
): Buffer | null {
  if (operation !== 'write_publish') return null;
  const ticket = fieldOf(body, 'ticket');
  return typeof ticket === 'string' ? ticketHash(ticket) : null;
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  return Reflect.get(body, name);
}
