import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { In, MoreThan } from 'typeorm';
import { toHex } from '../../../protocol/bytes.js';
import { OperatorAttempt } from '../../db/entities/operator-session.js';
import { lockNamed } from '../../db/named-lock.sql.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { requestNetwork } from '../../http/network.js';
import { requestState } from '../../http/request-state.js';
import type { AdminContext } from '../command.js';
import type { SignedIn } from '../session.js';
import { countAttempt } from './access.sql.js';
import { knownDevice } from './devices.js';
import type { Place } from './scrypt-queue.js';

/** In 15 minutes, per account and network or known device (§16.5). */
const ATTEMPTS = 5;
const ATTEMPTS_MS = 15 * 60_000;
/** In 15 minutes per network, over all names (§16.5). */
const ATTEMPTS_OF_NETWORK = 30;
/** Steps in 15 minutes per network: about ten links. */
const SETUPS_OF_NETWORK = 60;

export type Attempt = Place & { id: string };

/** A right credential, and the step that uses it up. */
export type Proven = {
  operatorId: string;
  method: SignedIn['method'];
  /** False when another request used it first. */
  take(tx: Tx): Promise<boolean>;
};

/** The same for every fault, and for accounts that do not exist. */
export function wrongCredential(): BoardError {
  return new BoardError(
    'unauthorized',
    'That did not match; check the name, the passphrase and the code, and that the code was not used before.',
    { scope: 'sign_in' },
  );
}

type Asked = Pick<
  AdminContext,
  'config' | 'writes' | 'clock' | 'networkKeys' | 'trustedProxies' | 'turns'
>;

/**
 * Counted before any check, so that parallel attempts count. Account and
 * network are stored only as tags under the day's key.
 * @throws BoardError `rate_limited` with the seconds to wait
 */
export async function takeAttempt(
  ctx: Asked,
  req: Request,
  account: string,
): Promise<Attempt> {
  requestState(req).isCharged = true;
  const network = requestNetwork(req, ctx.trustedProxies);
  const device = await knownDevice(ctx, req, account);
  const taken = await ctx.turns.take(toHex(device ?? household(network)), () =>
    countAccount(ctx, { network, device }, account),
  );
  return taken ?? refuseAtOnce();
}

type From = { network: Uint8Array; device: Buffer | null };

async function countAccount(
  ctx: Asked,
  { network, device }: From,
  account: string,
): Promise<Attempt> {
  const now = ctx.clock.now();
  const nth = device === null ? await countSignIn(ctx, network, now) : 0;
  const from =
    device === null
      ? await ctx.networkKeys.counterKeys(network)
      : { today: device, yesterday: device };
  const name = await ctx.networkKeys.counterKeys(
    Buffer.from(`operator ${account}`, 'utf8'),
  );
  const id = randomUUID();
  const waitMs = await ctx.writes.transaction(async (tx) => {
    await lockNamed(tx, `attempt ${toHex(name.today)} ${toHex(from.today)}`);
    const recent = await tx.manager.find(OperatorAttempt, {
      where: {
        account: In([name.today, name.yesterday]),
        network: In([from.today, from.yesterday]),
        at: MoreThan(now - ATTEMPTS_MS),
      },
      order: { at: 'DESC' },
      take: ATTEMPTS,
    });
    const oldest = recent[ATTEMPTS - 1];
    if (oldest !== undefined) return oldest.at + ATTEMPTS_MS - now;
    const attempt = { id, account: name.today, network: from.today, at: now };
    await tx.manager.insert(OperatorAttempt, attempt);
    return 0;
  }, false);
  if (waitMs === 0) return { id, network: from.today.toString('hex'), nth };
  throw tooOften(
    'This was tried too often with this name from your network; wait and try again.',
    waitMs,
  );
}

async function countSignIn(
  { writes, networkKeys }: Asked,
  network: Uint8Array,
  now: number,
): Promise<number> {
  const { today } = await networkKeys.counterKeys(household(network));
  const quarter = quarterOf(now);
  const nth = await countAttempt(writes, today, quarter, ATTEMPTS_OF_NETWORK);
  if (nth !== null) return nth;
  throw tooOften(
    'Your network tried to sign in too often; wait and try again. A device that signed in before has its own count.',
    quarter + ATTEMPTS_MS - now,
  );
}

/**
 * Apart from sign-ins: a network that guesses passphrases blocks no set-up
 * link.
 * @throws BoardError `rate_limited` with the seconds to wait
 */
export async function countSetUp(ctx: Asked, req: Request): Promise<void> {
  const now = ctx.clock.now();
  requestState(req).isCharged = true;
  const network = household(requestNetwork(req, ctx.trustedProxies));
  const { today } = await ctx.networkKeys.counterKeys(
    Buffer.concat([Buffer.from('operator setup ', 'utf8'), network]),
  );
  const quarter = quarterOf(now);
  const counted = await ctx.turns.take(toHex(network), async () => {
    const most = SETUPS_OF_NETWORK;
    return { nth: await countAttempt(ctx.writes, today, quarter, most) };
  });
  if (counted === null) refuseAtOnce();
  if (counted.nth !== null) return;
  throw tooOften(
    'Your network opened set-up links too often; wait and try again.',
    quarter + ATTEMPTS_MS - now,
    'operator_setup',
  );
}

function refuseAtOnce(): never {
  throw tooOften(
    'Too many sign-ins of your network are under way; wait and try again.',
    1000,
  );
}

/** Of IPv6 a /56, as households and hosts have. */
function household(network: Uint8Array): Uint8Array {
  return network[0] === 6 ? network.subarray(0, 8) : network;
}

const quarterOf = (now: number) => now - (now % ATTEMPTS_MS);

function tooOften(
  detail: string,
  waitMs: number,
  scope = 'operator_sign_in',
): BoardError {
  return new BoardError('rate_limited', detail, {
    scope,
    retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

export async function giveBack({ manager }: Tx, { id }: Attempt) {
  await manager.delete(OperatorAttempt, { id });
}
