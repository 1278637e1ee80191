import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { BoardError } from '../errors.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import { answerHash, type Challenge, makeChallenge } from './challenge.js';
import { ticketNetwork } from './network-hash.js';
import type { TicketDesk } from './ticket-store.js';

export type TicketKind = 'write' | 'vote' | 'ballot';

/** What a preview leaves behind; the ticket itself is never stored. */
export type NewTicket = {
  kind: TicketKind;
  requestId: string | null;
  contentHash: Buffer;
  draft: unknown;
  network: Uint8Array;
  counters: CounterKeys;
  serverKey: Buffer;
  now: number;
  lifetimeMs: number;
};

export type Issued = {
  ticket: string;
  challenge: Challenge;
  expiresAt: number;
};

/** Tickets are 32 random bytes; rows are found by their hash. */
export function ticketHash(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}

/** Stores a draft and gives its ticket and challenge. */
export async function issueTicket(
  desk: TicketDesk,
  input: NewTicket,
): Promise<Issued> {
  const ticket = randomBytes(32).toString('base64url');
  const hash = ticketHash(ticket);
  const challenge = makeChallenge();
  const networkSalt = randomBytes(16);
  const { serverKey, counters, now } = input;
  const expiresAt = now + input.lifetimeMs;
  await desk.store({
    hash,
    kind: input.kind,
    requestId: input.requestId,
    contentHash: input.contentHash,
    draft: JSON.stringify(input.draft),
    networkSalt,
    networkHash: ticketNetwork(networkSalt, serverKey, input.network),
    day: counters.day,
    yesterday: counters.yesterday,
    today: counters.today,
    tomorrow: counters.tomorrow,
    answerHash: answerHash(serverKey, hash, challenge.answer),
    createdAt: now,
    expiresAt,
  });
  return { ticket, challenge, expiresAt };
}

/** A stored ticket as publishing reads it. */
export type Ticket<Draft> = {
  hash: Buffer;
  requestId: string | null;
  contentHash: Buffer;
  draft: Draft;
  networkSalt: Buffer;
  networkHash: Buffer;
  /** UTC day of the preview, and the counters of its network around it. */
  counters: CounterKeys;
  answerHash: Buffer;
  expiresAt: number;
};

export type TicketRow<Draft> = {
  request_id: string | null;
  content_hash: Buffer;
  draft: Draft;
  network_salt: Buffer;
  network_hash: Buffer;
  day: string;
  net_prev: Buffer;
  net_day: Buffer;
  net_next: Buffer;
  answer_hash: Buffer;
  expires_at: number;
};

export const TICKET_COLUMNS = `k.request_id, k.content_hash, k.draft,
  k.network_salt, k.network_hash, k.day, k.net_prev, k.net_day, k.net_next,
  k.answer_hash, k.expires_at`;

export function ticketOf<Draft>(
  hash: Buffer,
  row: TicketRow<Draft>,
): Ticket<Draft> {
  return {
    hash,
    requestId: row.request_id,
    contentHash: row.content_hash,
    draft: row.draft,
    networkSalt: row.network_salt,
    networkHash: row.network_hash,
    counters: {
      day: row.day,
      yesterday: row.net_prev,
      today: row.net_day,
      tomorrow: row.net_next,
    },
    answerHash: row.answer_hash,
    expiresAt: row.expires_at,
  };
}

export function ticketInvalid(): BoardError {
  return new BoardError(
    'ticket_invalid',
    'This ticket is not known here. Copy it unchanged from the preview, send it to the publish URL of that preview, or preview again.',
  );
}

/** Whether the request comes from the network that previewed. */
export function isSameNetwork(
  ticket: Ticket<unknown>,
  serverKey: Buffer,
  network: Uint8Array,
): boolean {
  const hash = ticketNetwork(ticket.networkSalt, serverKey, network);
  return timingSafeEqual(hash, ticket.networkHash);
}

export function isRightAnswer(
  ticket: Ticket<unknown>,
  serverKey: Buffer,
  answer: string,
): boolean {
  const hash = answerHash(serverKey, ticket.hash, answer);
  return timingSafeEqual(hash, ticket.answerHash);
}
