import { MoreThan } from 'typeorm';
import { DAY_MS } from '../../clock.js';
import type { Context } from '../../context.js';
import { Operator } from '../../db/entities/operator.js';
import { OperatorDevice } from '../../db/entities/operator-session.js';
import type { Tx } from '../../db/sql.js';
import type { SignedIn } from '../session.js';
import {
  cookieHash,
  cookieLine,
  newToken,
  tokenHash,
} from '../session-store.js';

/** spec/board.md §16.5 */
const KNOWN_MS = 90 * DAY_MS;

type At = Pick<Context, 'config'>;
type Asked = { headers: { cookie?: string | undefined } };

/**
 * Hash of the cookie of a device that signed in within 90 days. No credential:
 * it has its own count of attempts and place in the hash's queue.
 */
export async function knownDevice(
  ctx: At & Pick<Context, 'writes' | 'clock'>,
  req: Asked,
  account: string,
): Promise<Buffer | null> {
  const hash = cookieHash(ctx, 'device', req.headers.cookie);
  if (hash === null) return null;
  const known = await ctx.writes.manager
    .createQueryBuilder(OperatorDevice, 'd')
    .innerJoin(Operator, 'o', 'o.id = d.operatorId')
    .where({ tokenHash: hash, expiresAt: MoreThan(ctx.clock.now()) })
    .andWhere("o.name = :account AND o.state = 'active'", { account })
    .getExists();
  return known ? hash : null;
}

/** @returns the cookie line, for a device without one */
export async function rememberDevice(
  { manager }: Tx,
  ctx: At,
  req: Asked,
  { operatorId, sessionId }: Pick<SignedIn, 'operatorId' | 'sessionId'>,
  now: number,
): Promise<string | null> {
  const expiresAt = now + KNOWN_MS;
  const hash = cookieHash(ctx, 'device', req.headers.cookie);
  const mine = { tokenHash: hash ?? Buffer.alloc(0), operatorId };
  const { affected } = await manager.update(
    OperatorDevice,
    { ...mine, expiresAt: MoreThan(now) },
    { sessionId },
  );
  if (affected === 1) return null;
  const token = newToken();
  const device = { tokenHash: tokenHash(token), operatorId, sessionId };
  await manager.insert(OperatorDevice, { ...device, expiresAt });
  return cookieLine(ctx, 'device', token, KNOWN_MS / 1000);
}
