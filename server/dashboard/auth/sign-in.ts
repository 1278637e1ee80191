import type { Request, Response } from 'express';
import type { Context } from '../../context.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import type { SignedIn } from '../session.js';
import { openSession, setSessionCookie } from '../session-store.js';
import { type AccountAnswer, accountAnswer } from './answers.js';
import type { Attempt } from './attempts.js';
import { deviceLabel } from './device-label.js';

/** One answer for whatever was wrong, and for accounts that are not there. */
export function wrongCredential(): BoardError {
  return new BoardError(
    'unauthorized',
    'That did not match; check the name, the passphrase and the code, and that the code was not used before.',
    { scope: 'sign_in' },
  );
}

/** A credential that was right, and the step that uses it up. */
export type Proven = {
  operatorId: string;
  method: SignedIn['method'];
  /** False when somebody else was faster with the same answer. */
  take(tx: Tx): Promise<boolean>;
};

/**
 * Opens a session for a proven credential and gives the attempt back, in one
 * transaction with the trail.
 * @throws BoardError `unauthorized` for one that was used, or a closed account
 */
export async function signIn(
  ctx: Context,
  req: Request,
  res: Response,
  proven: Proven | null,
  attempt: Attempt,
  label: string = deviceLabel(req),
): Promise<AccountAnswer> {
  if (proven === null) throw wrongCredential();
  const { operatorId, method } = proven;
  const now = ctx.clock.now();
  const done = await ctx.writes.transaction(async (tx) => {
    // First, and alone: what fails writes nothing, so it takes the same time
    // whether there is such an account or not.
    if (!(await proven.take(tx))) return null;
    const [account] = await tx.query<Pick<SignedIn, 'name' | 'alias' | 'role'>>(
      `SELECT name, alias, role FROM operator
       WHERE id = $1 AND state = 'active' FOR SHARE`,
      [operatorId],
    );
    if (account === undefined) return null;
    const opened = await openSession(
      tx,
      ctx,
      req,
      { operatorId, method, label },
      now,
    );
    await tx.query('DELETE FROM operator_attempt WHERE id = $1', [attempt.id]);
    const { sessionId } = opened;
    await recordAudit(
      tx,
      { operatorId, operator: account.name, sessionId },
      {
        action: `sign_in.${method}`,
        subject: `operator:${account.name}`,
        after: { device: label },
      },
      now,
    );
    return { account, opened };
  });
  if (done === null) throw wrongCredential();
  const { sessionId, expiresAt } = done.opened;
  setSessionCookie(ctx, res, done.opened);
  return accountAnswer({
    ...{ ...done.account, operatorId, sessionId, method, expiresAt },
    credentialAt: now,
  });
}
