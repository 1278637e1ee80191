import {
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Context } from '../../context.js';
import { OperatorChallenge } from '../../db/entities/operator-session.js';
import { insertNew } from '../../db/insert-new.js';
import type { Tx } from '../../db/sql.js';
import { seal as sealUnder, unseal as unsealUnder } from '../../ledger/seal.js';

/** In ms. */
export const ANSWER_MS = 10 * 60_000;

const RANDOM = 16;
const TIME = 8;
const MAC = 32;

type Keys = Pick<Context, 'keys'>;
type Asker = Pick<Context, 'keys' | 'clock'>;

/** A passkey's challenge with its end and an HMAC: asking stores nothing. */
export function ask(ctx: Asker, about: string): Buffer {
  const head = Buffer.alloc(RANDOM + TIME);
  randomBytes(RANDOM).copy(head);
  head.writeBigUInt64BE(BigInt(ctx.clock.now() + ANSWER_MS), RANDOM);
  return Buffer.concat([head, mac(ctx, about, head)]);
}

/** By this board, about the same thing, and in time. */
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

/** False for one that was used before. */
export async function spendChallenge(
  tx: Tx,
  text: string,
  now: number,
): Promise<boolean> {
  const hash = createHash('sha256')
    .update(Buffer.from(text, 'base64url'))
    .digest();
  const spent = { hash, expiresAt: now + ANSWER_MS };
  return (await insertNew(tx, OperatorChallenge, spent)).length === 1;
}

function mac(ctx: Asker, about: string, head: Uint8Array): Buffer {
  return createHmac('sha256', operatorKey(ctx, 'challenge'))
    .update(head)
    .update(about, 'utf8')
    .digest();
}

function operatorKey({ keys }: Keys, use: string) {
  const info = `reserve-board/operator/${use}/v1`;
  return Buffer.from(hkdfSync('sha256', keys.server, '', info, 32));
}

/** Under the board's seed: a copy of the database reveals no TOTP secret. */
export function seal(ctx: Keys, about: string, plain: Uint8Array): Buffer {
  return sealUnder(operatorKey(ctx, 'seal'), about, plain);
}

/** Null for another `about` or board. */
export function unseal(
  ctx: Keys,
  about: string,
  sealed: Uint8Array,
): Buffer | null {
  return unsealUnder(operatorKey(ctx, 'seal'), about, sealed);
}
