import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { In, MoreThan } from 'typeorm';
import type { Context } from '../../context.js';
import { OperatorAttempt } from '../../db/entities/operator-session.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { requestNetwork } from '../../http/network.js';
import type { SignedIn } from '../session.js';
import { lockAttempts } from './access.sql.js';

/**
 * 5 in 15 minutes for one account from one network (spec/operators.md §1.3).
 */
const ATTEMPTS = 5;
const ATTEMPTS_MS = 15 * 60_000;

/** An attempt that is under way; one that succeeds deletes its row. */
export type Attempt = {
  id: string;
  /** The network's tag of today, for the line of the hash. */
  network: string;
};

/** A credential that was right, and the step that uses it up. */
export type Proven = {
  operatorId: string;
  method: SignedIn['method'];
  /** False when another request was faster with the same answer. */
  take(tx: Tx): Promise<boolean>;
};

/** One answer for everything wrong, and for accounts that are not there. */
export function wrongCredential(): BoardError {
  return new BoardError(
    'unauthorized',
    'That did not match; check the name, the passphrase and the code, and that the code was not used before.',
    { scope: 'sign_in' },
  );
}

/**
 * Counts an attempt before anything is checked, so that many at once count as
 * many. The account is what was typed, whether there is one or not, and
 * neither it nor the network is stored but as a tag under the day's key.
 *
 * @throws BoardError `rate_limited` with the seconds until the next
 */
export async function takeAttempt(
  ctx: Pick<Context, 'writes' | 'clock' | 'networkKeys' | 'trustedProxies'>,
  req: Request,
  account: string,
): Promise<Attempt> {
  const now = ctx.clock.now();
  const since = now - ATTEMPTS_MS;
  const network = await ctx.networkKeys.counterKeys(
    requestNetwork(req, ctx.trustedProxies),
  );
  const name = await ctx.networkKeys.counterKeys(
    Buffer.from(`operator ${account}`, 'utf8'),
  );
  const id = randomUUID();
  const waitMs = await ctx.writes.transaction(async (tx) => {
    await lockAttempts(
      tx,
      name.today.readInt32BE(0),
      network.today.readInt32BE(0),
    );
    const recent = await tx.manager.find(OperatorAttempt, {
      where: {
        account: In([name.today, name.yesterday]),
        network: In([network.today, network.yesterday]),
        at: MoreThan(since),
      },
      order: { at: 'DESC' },
      take: ATTEMPTS,
    });
    const oldest = recent[ATTEMPTS - 1];
    if (oldest !== undefined) return oldest.at + ATTEMPTS_MS - now;
    const attempt = {
      id,
      account: name.today,
      network: network.today,
      at: now,
    };
    await tx.manager.insert(OperatorAttempt, attempt);
    return 0;
  });
  if (waitMs === 0) return { id, network: network.today.toString('hex') };
  throw new BoardError(
    'rate_limited',
    'This was tried too often with this name from your network; wait and try again.',
    {
      scope: 'operator_sign_in',
      retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)),
    },
  );
}

/** Forgets an attempt that succeeded. */
export async function giveBack({ manager }: Tx, { id }: Attempt) {
  await manager.delete(OperatorAttempt, { id });
}
