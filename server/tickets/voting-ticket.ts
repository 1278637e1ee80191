import { hkdfSync } from 'node:crypto';
import { DAY_MS, utcDay } from '../clock.js';
import type { Context } from '../context.js';
import { seal, unseal } from '../ledger/seal.js';
import { type Issued, makeChallenge } from './issue-ticket.js';
import { answerHash, ticketHash } from './ticket.js';

/** `at`: issue, in ms. */
type Sealed<Choice> = {
  choice: Choice;
  voter: string;
  at: number;
  answer: string;
};

export type VotingTicket<Choice> = {
  hash: Buffer;
  choice: Choice;
  /** Its network, as voter on this target. */
  voter: Buffer;
  answerHash: Buffer;
  issuedAt: number;
  expiresAt: number;
};

type Board = Pick<Context, 'keys' | 'limits'>;

/** A ticket may be replayed up to 24 h after it ends. */
const DAYS_BACK = [0, 1, 2];

/**
 * Contains all that the board needs, so previews store nothing (spec/board.md
 * §16.4).
 * @param target the path that takes the ticket, with the ID in it
 */
export function sealTicket<Choice>(
  { keys, limits }: Board,
  target: string,
  { choice, voter, now }: { choice: Choice; voter: Buffer; now: number },
): Issued {
  const challenge = makeChallenge();
  const { answer } = challenge;
  const sealed: Sealed<Choice> = {
    choice,
    voter: voter.toString('base64url'),
    at: now,
    answer,
  };
  const plain = Buffer.from(JSON.stringify(sealed));
  const ticket = seal(ticketKey(keys.server, now), target, plain);
  return {
    ticket: ticket.toString('base64url'),
    challenge,
    expiresAt: now + limits.ticket_seconds * 1000,
  };
}

/** Null for other tickets, or `ticket_recovery_hours` after the expiry. */
export function openTicket<Choice>(
  { keys, limits }: Board,
  target: string,
  text: string,
  now: number,
): VotingTicket<Choice> | null {
  const bytes = Buffer.from(text, 'base64url');
  // One spelling per ticket: wrong answers are counted by it.
  if (bytes.toString('base64url') !== text) return null;
  for (const back of DAYS_BACK) {
    const key = ticketKey(keys.server, now - back * DAY_MS);
    const plain = unseal(key, target, bytes);
    if (plain === null) continue;
    const sealed = JSON.parse(plain.toString()) as Sealed<Choice>;
    const hash = ticketHash(text);
    const expiresAt = sealed.at + limits.ticket_seconds * 1000;
    if (now > expiresAt + limits.ticket_recovery_hours * 3_600_000) return null;
    return {
      hash,
      choice: sealed.choice,
      voter: Buffer.from(sealed.voter, 'base64url'),
      answerHash: answerHash(keys.server, hash, sealed.answer),
      issuedAt: sealed.at,
      expiresAt,
    };
  }
  return null;
}

function ticketKey(serverKey: Buffer, at: number): Buffer {
  const info = `reserve-board/voting-ticket/${utcDay(at)}/v1`;
  return Buffer.from(hkdfSync('sha256', serverKey, '', info, 32));
}
