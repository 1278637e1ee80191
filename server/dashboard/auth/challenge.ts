import {
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Context } from '../../context.js';
import type { Tx } from '../../db/sql.js';
import { operatorKey } from './seal.js';

/** How long a page may take to answer, in ms. */
export const ANSWER_MS = 10 * 60_000;

const RANDOM = 16;
const TIME = 8;
const MAC = 32;

type Asker = Pick<Context, 'keys' | 'clock'>;

/**
 * What a passkey has to sign. It carries its own end and an HMAC over what it
 * was asked for, so that asking stores nothing: only answers leave a row.
 */
export function ask(ctx: Asker, about: string): Buffer {
  const head = Buffer.alloc(RANDOM + TIME);
  randomBytes(RANDOM).copy(head);
  head.writeBigUInt64BE(BigInt(ctx.clock.now() + ANSWER_MS), RANDOM);
  return Buffer.concat([head, mac(ctx, about, head)]);
}

/** Whether this board asked it, about the same thing, and in time. */
export function wasAsked(ctx: Asker, about: string, text: string): boolean {
  const challenge = Buffer.from(text, 'base64url');
  if (challenge.length !== RANDOM + TIME + MAC) return false;
  const head = challenge.subarray(0, RANDOM + TIME);
  const known = timingSafeEqual(
    challenge.subarray(RANDOM + TIME),
    mac(ctx, about, head),
  );
  return known && ctx.clock.now() < Number(head.readBigUInt64BE(RANDOM));
}

/** Takes an answered challenge; false for one that was answered before. */
export async function spendChallenge(
  tx: Tx,
  text: string,
  now: number,
): Promise<boolean> {
  const hash = createHash('sha256')
    .update(Buffer.from(text, 'base64url'))
    .digest();
  const rows = await tx.query(
    `INSERT INTO operator_challenge (hash, expires_at) VALUES ($1, $2)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [hash, now + ANSWER_MS],
  );
  return rows.length === 1;
}

function mac(ctx: Asker, about: string, head: Uint8Array): Buffer {
  return createHmac('sha256', operatorKey(ctx, 'challenge'))
    .update(head)
    .update(about, 'utf8')
    .digest();
}
