import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Context } from '../../context.js';
import { BoardError } from '../../errors.js';
import { requestNetwork } from '../../http/request-network.js';

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

/**
 * Counts an attempt before anything is checked, so that many at once count as
 * many. The account is whatever was typed, whether there is one or not, and
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
    await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [
      name.today.readInt32BE(0),
      network.today.readInt32BE(0),
    ]);
    const [row] = await tx.query<{ count: number; oldest: number | null }>(
      `SELECT count(*) AS count, min(at) AS oldest FROM (
         SELECT at FROM operator_attempt
         WHERE account = ANY($1::bytea[]) AND network = ANY($2::bytea[])
           AND at > $3 ORDER BY at DESC LIMIT ${ATTEMPTS}) AS recent`,
      [[name.today, name.yesterday], [network.today, network.yesterday], since],
    );
    const { count = 0, oldest = null } = row ?? {};
    if (count >= ATTEMPTS) return (oldest ?? now) + ATTEMPTS_MS - now;
    await tx.query(
      `INSERT INTO operator_attempt (id, account, network, at)
       VALUES ($1, $2, $3, $4)`,
      [id, name.today, network.today, now],
    );
    return 0;
  });
  if (waitMs > 0) throw tooMany(waitMs);
  return { id, network: network.today.toString('hex') };
}

function tooMany(waitMs: number): BoardError {
  return new BoardError(
    'rate_limited',
    'This was tried too often with this name from your network; wait and try again.',
    {
      scope: 'operator_sign_in',
      retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)),
    },
  );
}
