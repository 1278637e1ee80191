import type { Request } from 'express';
import type { Endpoint } from '../http/endpoint.js';
import { routePattern } from '../http/route-pattern.js';
import { ticketHash } from '../tickets/ticket.js';

/** What requests are counted as. */
export type OperationNames = {
  /**
   * The name of what a request asked for: of its route, never of its address,
   * so there are only so many. Ask when the request is over.
   */
  of(req: Request): string;
  /** Whether a 201 of this operation makes the network a writer. */
  acceptsWrites(operation: string): boolean;
};

/** Names by the `counter` of each endpoint (spec/board.md §2.17). */
export function operationNames(
  endpoints: readonly Pick<
    Endpoint,
    'method' | 'path' | 'counter' | 'accepts'
  >[],
): OperationNames {
  const counted = endpoints.flatMap(({ method, path, counter, accepts }) =>
    counter === null
      ? []
      : [{ route: `${method.toUpperCase()} ${path}`, counter, accepts }],
  );
  const names = new Map(counted.map(({ route, counter }) => [route, counter]));
  const writers = new Set(
    counted.flatMap(({ counter, accepts }) => (accepts ? [counter] : [])),
  );
  return {
    of: (req) => {
      const { method, route } = routePattern(req);
      const name = `${method} ${route}`;
      return names.get(name) ?? name;
    },
    acceptsWrites: (operation) => writers.has(operation),
  };
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
