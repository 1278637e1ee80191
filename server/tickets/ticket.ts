import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.js';
import { type CounterKeys, networkKey } from '../db/budgets.js';
import {
  ChallengeLock,
  type Ticket as StoredTicket,
} from '../db/entities/ticket.js';
import type { Sql } from '../db/sql.js';
import { BoardError, type SuggestedAction } from '../errors.js';
import { isPlaceholder } from '../http/body/validate.js';
import type { Limits } from '../limits.js';
import {
  type AnswerScope,
  countWrongAnswer,
  type Failures,
} from './answer-lock.sql.js';
import {
  assertFewFailures,
  failureWindow,
  tooManyFailures,
} from './failures.js';
import type { VotingTicket } from './voting-ticket.js';

/** Stored tickets are 32 random bytes, found by this hash. */
export function ticketHash(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}

export type Ticket<Draft> = {
  hash: Buffer;
  requestId: string | null;
  contentHash: Buffer;
  draft: Draft;
  networkSalt: Buffer;
  networkHash: Buffer;
  /** UTC day of the preview, and its network's counters. */
  counters: CounterKeys;
  answerHash: Buffer;
  expiresAt: number;
};

export type TicketRow<Draft> = Pick<
  StoredTicket,
  | 'requestId'
  | 'contentHash'
  | 'networkSalt'
  | 'networkHash'
  | 'day'
  | 'sealedCounters'
  | 'netPrev'
  | 'netDay'
  | 'netNext'
  | 'answerHash'
  | 'expiresAt'
> & { draft: Draft };

export const TICKET_COLUMNS = `k.request_id AS "requestId",
  k.content_hash AS "contentHash", k.draft, k.network_salt AS "networkSalt",
  k.network_hash AS "networkHash", k.day,
  k.sealed_counters AS "sealedCounters", k.net_prev AS "netPrev",
  k.net_day AS "netDay", k.net_next AS "netNext",
  k.answer_hash AS "answerHash", k.expires_at AS "expiresAt"`;

export function ticketOf<Draft>(
  hash: Buffer,
  row: TicketRow<Draft>,
  serverKey: Buffer,
): Ticket<Draft> {
  return {
    hash,
    requestId: row.requestId,
    contentHash: row.contentHash,
    draft: row.draft,
    networkSalt: row.networkSalt,
    networkHash: row.networkHash,
    counters: countersOf(row, serverKey),
    answerHash: row.answerHash,
    expiresAt: row.expiresAt,
  };
}

const NAME_BYTES = 32;

/** XOR with a key stream of the ticket: its own inverse. */
function sealed(salt: Buffer, serverKey: Buffer, names: Buffer): Buffer {
  const use = 'reserve-board/ticket-counters/v1';
  const stream = hkdfSync('sha256', serverKey, salt, use, names.length);
  const bytes = new Uint8Array(stream);
  return Buffer.from(names.map((byte, at) => byte ^ (bytes[at] ?? 0)));
}

/** Unsealed names would tell which posts came from one network. */
export function sealCounters(
  salt: Buffer,
  serverKey: Buffer,
  { yesterday, today, tomorrow }: CounterKeys,
): Buffer {
  const names = Buffer.concat([yesterday, today, tomorrow]);
  return sealed(salt, serverKey, names);
}

function countersOf(row: TicketRow<unknown>, serverKey: Buffer): CounterKeys {
  const { day, networkSalt, sealedCounters } = row;
  const plain = [row.netPrev, row.netDay, row.netNext];
  const names =
    sealedCounters === null
      ? Buffer.concat(plain.map((it) => it ?? Buffer.alloc(NAME_BYTES)))
      : sealed(networkSalt, serverKey, sealedCounters);
  const name = (at: number) =>
    names.subarray(at * NAME_BYTES, (at + 1) * NAME_BYTES);
  return { day, yesterday: name(0), today: name(1), tomorrow: name(2) };
}

export function isSameNetwork(
  ticket: Ticket<unknown>,
  serverKey: Buffer,
  network: Uint8Array,
): boolean {
  const hash = ticketNetwork(ticket.networkSalt, serverKey, network);
  return timingSafeEqual(hash, ticket.networkHash);
}

type Answered = { hash: Buffer; answerHash: Buffer };

export function isRightAnswer(
  ticket: Answered,
  serverKey: Buffer,
  answer: string,
): boolean {
  const hash = answerHash(serverKey, ticket.hash, answer);
  return timingSafeEqual(hash, ticket.answerHash);
}

/** Under the ticket's salt, so that no tickets are linked (§1.9). */
export function ticketNetwork(
  salt: Buffer,
  serverKey: Buffer,
  network: Uint8Array,
): Buffer {
  return createHmac('sha256', Buffer.concat([salt, serverKey]))
    .update(network)
    .digest();
}

/** One per network and target; `secret` is the target's. */
export function voterHash(
  voterKey: Buffer,
  secret: Buffer,
  network: Uint8Array,
): Buffer {
  return createHmac('sha256', Buffer.concat([voterKey, secret]))
    .update(network)
    .digest();
}

/** Keyed and bound to the ticket (spec/board.md §3). */
export function answerHash(
  serverKey: Buffer,
  ticketHash: Buffer,
  answer: string,
): Buffer {
  return createHmac('sha256', serverKey)
    .update('answer\n')
    .update(ticketHash)
    .update(plainAnswer(answer))
    .digest();
}

const DOT = /[.\u3002]$/;
const QUOTE = '["\'`\\p{Pi}\\p{Pf}\\u201a\\u201e\\u300c-\\u300f]';
const QUOTED = new RegExp(`^${QUOTE}(.+)${QUOTE}$`, 'su');
const HYPHEN = /(?<!\s)\s*[\p{Pd}\u2212\u2043\u02d7]\s*/gu;

/** No case, quotes or final dot; dashes become hyphens. */
function plainAnswer(answer: string): string {
  const bare = answer.trim().replace(DOT, '');
  const inside = (QUOTED.exec(bare)?.[1] ?? bare).trim().replace(DOT, '');
  return inside.replace(HYPHEN, '-').toLowerCase();
}

/** `until`: end of the lock, in ms. */
export type AnswerLock = { wrong: number; until: number };

type Voting = {
  answer: string;
  /** Its network, as voter on the target. */
  voter: Buffer;
  counters: CounterKeys;
  lock: AnswerLock;
  failures: Failures;
};

/**
 * In the order of spec/board.md §5.1: age, lock, answer, network (§5.2). Wrong
 * answers count per ticket, tickets with some per network (§16.4).
 * @param again the preview to repeat for an old ticket
 * @throws BoardError `ticket_expired`, `rate_limited`, `challenge_locked`,
 *   `wrong_answer`, `network_changed`
 */
export async function checkVotingTicket(
  ctx: Context,
  ticket: VotingTicket<unknown>,
  { answer, voter, counters, lock, failures }: Voting,
  again: SuggestedAction,
): Promise<void> {
  const { limits } = ctx;
  const now = ctx.clock.now();
  if (ticket.expiresAt < now) {
    throw new BoardError(
      'ticket_expired',
      'This ticket is older than its lifetime and nothing was counted with it; preview the same choice again.',
      { suggested_action: again },
    );
  }
  if (lock.wrong === 0) assertFewFailures(ctx, failures, now);
  const scope: AnswerScope = {
    scope: lockScope({ ticket: ticket.hash }),
    of: {
      network: networkKey(counters),
      most: limits.failed_tickets_per_network,
      expiresAt: ticket.issuedAt + failureWindow(limits),
    },
  };
  await checkAnswer(ctx, ticket, lock, scope, answer, now);
  if (timingSafeEqual(ticket.voter, voter)) return;
  throw new BoardError(
    'network_changed',
    'A vote belongs to the network that previewed it; preview it again from here.',
  );
}

/**
 * `counted`: what wrong answers count for.
 * @throws BoardError `challenge_locked`, `wrong_answer`
 */
export async function checkAnswer(
  { writes, keys, limits }: Pick<Context, 'writes' | 'keys' | 'limits'>,
  ticket: Answered,
  lock: AnswerLock,
  counted: AnswerScope,
  answer: string,
  now: number,
): Promise<void> {
  if (lock.until > now) throw challengeLocked(lock.until, now);
  if (isPlaceholder(answer)) throw unanswered(lock, limits);
  if (!isRightAnswer(ticket, keys.server, answer)) {
    throw await wrongAnswer(writes, counted, limits, now);
  }
  if (lock.wrong > 0) await forgetWrongAnswers(writes, counted.scope, now);
}

/** An unfilled template is no try. */
function unanswered(
  { wrong, until }: AnswerLock,
  { challenge_attempts: most }: Limits,
): BoardError {
  const left = until > 0 ? most : most - wrong;
  return new BoardError(
    'wrong_answer',
    `\`answer\` is still the placeholder of the template: solve \`challenge\` of the preview and send the answer, such as 65-harbor. This cost no attempt; ${left} are left.`,
    { field: 'answer', attempts_left: left },
  );
}

/** Per request_id for writes, per ticket for votes. */
export function lockScope(of: { requestId: string } | { ticket: Buffer }) {
  const hash = createHash('sha256');
  if ('requestId' in of) return hash.update(`request ${of.requestId}`).digest();
  return hash.update('ticket ').update(of.ticket).digest();
}

export function challengeLocked(until: number, now: number): BoardError {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new BoardError(
    'challenge_locked',
    `Too many wrong answers; wait ${seconds} s, then preview again (a message or ballot with the same request_id) and answer the new challenge.`,
    { scope: 'challenge_attempts', retry_after_seconds: seconds },
  );
}

/** The last permitted one locks (spec/board.md §3). */
export async function wrongAnswer(
  sql: Sql,
  counted: AnswerScope,
  { challenge_attempts: most, challenge_lock_seconds: seconds }: Limits,
  now: number,
): Promise<BoardError> {
  const lockUntil = now + seconds * 1000;
  const row = await countWrongAnswer(sql, counted, most, lockUntil, now);
  if (row === undefined) return tooManyFailures(seconds);
  if (row.locked_until) return challengeLocked(row.locked_until, now);
  const left = most - row.wrong;
  return new BoardError(
    'wrong_answer',
    `That is not the answer. Add the two numbers and append a hyphen and the word, without spaces, such as 65-harbor; ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`,
    { field: 'answer', attempts_left: left },
  );
}

/** Never lifts a lock set at the same moment. */
async function forgetWrongAnswers(
  sql: Sql,
  scope: Buffer,
  now: number,
): Promise<void> {
  await sql.manager
    .createQueryBuilder()
    .delete()
    .from(ChallengeLock)
    .where('scope = :scope', { scope })
    .andWhere('(locked_until IS NULL OR locked_until <= :now)', { now })
    .execute();
}

/** 32 bytes; sealed tickets are longer. */
const MESSAGE_TICKET = /^[\w-]{43}$/;

/** A ticket with characters around it. */
const WRAPPED = /^[^\w-]+[\w-]{43,}[^\w-]*$|^[\w-]{43,}[^\w-]+$/;

/** A sealed ticket reveals its target only to that path. */
const SEALED = {
  rating: 'a ballot or of the rating of another message',
  ballot: 'a rating or of a ballot in another poll',
  message: 'a vote or ballot',
};

/** No ticket is longer. */
const MAX_LENGTH = 8192;

type Taken = 'message' | 'rating' | 'ballot';

/** Before it is hashed or opened. */
export function assertTicketSize(ticket: string, of: Taken): void {
  if (ticket.length > MAX_LENGTH) throw ticketInvalid(ticket, of);
}

/** @param of which tickets the endpoint takes */
export function ticketInvalid(ticket: string, of: Taken) {
  if (WRAPPED.test(ticket)) {
    return new BoardError(
      'ticket_invalid',
      'This ticket has quotes, spaces or other characters around it that the preview did not give; send the bare ticket.',
    );
  }
  const isMessage = MESSAGE_TICKET.test(ticket);
  const isOther = ticket.length >= 43 && !(isMessage && of === 'message');
  const other = isMessage ? 'a message' : SEALED[of];
  return new BoardError(
    'ticket_invalid',
    isOther
      ? `This ticket is not known here; it looks like one of ${other}. Send the filled publish.json_template of its preview, and nothing else, to the publish.url of that preview.`
      : 'This ticket is not known here. Copy it unchanged from the preview, send it to the publish URL of that preview, or preview again.',
  );
}
