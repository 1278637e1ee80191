import { randomBytes, randomInt } from 'node:crypto';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import type { CounterKeys } from '../db/budgets.js';
import type { VotingSteps } from './answers.js';
import type { StoreTicket } from './insert-tickets.sql.js';
import {
  answerHash,
  sealCounters,
  ticketHash,
  ticketNetwork,
} from './ticket.js';

/** The ticket itself is never stored. */
type NewTicket = {
  requestId: string;
  contentHash: Buffer;
  draft: object;
  network: Uint8Array;
  counters: CounterKeys;
  now: number;
};

export type Issued = {
  ticket: string;
  challenge: Challenge;
  expiresAt: number;
};

/** Answers once the ticket is durable. */
export async function issueTicket(
  { keys, limits }: Pick<Context, 'keys' | 'limits'>,
  storeTicket: StoreTicket,
  { requestId, contentHash, draft, network, counters, now }: NewTicket,
): Promise<Issued> {
  const ticket = randomBytes(32).toString('base64url');
  const hash = ticketHash(ticket);
  const challenge = makeChallenge();
  const networkSalt = randomBytes(16);
  const expiresAt = now + limits.ticket_seconds * 1000;
  await storeTicket({
    ticketHash: hash,
    requestId,
    contentHash,
    draft,
    networkSalt,
    networkHash: ticketNetwork(networkSalt, keys.server, network),
    day: counters.day,
    sealedCounters: sealCounters(networkSalt, keys.server, counters),
    answerHash: answerHash(keys.server, hash, challenge.answer),
    createdAt: now,
    expiresAt,
  });
  return { ticket, challenge, expiresAt };
}

/** spec/board.md §6.1 */
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

export const CHALLENGE_INSTRUCTION =
  'Work out the sum, then write the number, a hyphen and the word, for example 65-harbor, into "answer".';

/** Checks posting, not identity (spec/board.md §3). */
export type Challenge = { text: string; answer: string };

/** Two sentences; the answer is `<sum>-<word>`. */
export function makeChallenge(): Challenge {
  const a = randomInt(10, 100);
  const b = randomInt(10, 100);
  const word = WORDS[randomInt(WORDS.length)] ?? 'harbor';
  return {
    text: `Add ${a} and ${b}. Append a hyphen and the word ${word}.`,
    answer: `${a + b}-${word}`,
  };
}

/** 4 to 8 ASCII letters each. */
const WORDS: readonly string[] = (
  'anchor amber basin beacon birch bridge canyon cedar cobalt copper coral ' +
  'cotton delta ember fabric falcon fern forest garden glacier granite harbor ' +
  'hazel heron indigo island ivory jasper juniper kettle lagoon lantern ' +
  'linen lumber maple marble meadow mirror mosaic nectar nickel orchard ' +
  'otter paddle pebble pepper pewter piano pigeon planet pocket prairie ' +
  'quartz quilt rabbit raven ribbon river saddle salmon sapphire shadow ' +
  'silver socket spruce stone summit sunset teapot thistle timber tunnel ' +
  'valley velvet violet walnut willow window winter yarrow zephyr'
).split(' ');
