import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Context } from '../../context.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { type Actor, recordAudit } from '../audit.js';
import type { Role } from '../roles.js';
import type { SignedIn } from '../session.js';
import {
  endSessions,
  openSession,
  setSessionCookie,
} from '../session-store.js';
import { type AccountAnswer, accountAnswer } from './answers.js';
import { deviceLabel } from './device-label.js';
import { useInvite } from './invite.js';
import { renewRecoveryCodes } from './recovery-codes.js';

/** What a set-up page sends beside the credential. */
export type Chosen = {
  code: string;
  name?: string | undefined;
  alias?: string | undefined;
  label?: string | undefined;
};

export type Enrolled = AccountAnswer & {
  /** Shown once; only their hashes are kept. */
  recovery_codes: string[];
};

type Account = { id: string; name: string; alias: string; role: Role };

/**
 * Uses a set-up link up: the account, its credential, recovery codes and a
 * session, or nothing at all. For an account that exists already, the link
 * replaces every credential it had and ends its sessions.
 *
 * @throws BoardError `not_found` for a link that does not work any more,
 * `invalid_input` for a name or alias that is missing or taken, `forbidden`
 * where no admin would be left
 */
export async function enrol(
  ctx: Context,
  req: Request,
  res: Response,
  chosen: Chosen,
  method: 'passkey' | 'passphrase',
  saveCredential: (tx: Tx, operatorId: string) => Promise<void>,
): Promise<Enrolled> {
  const now = ctx.clock.now();
  const made = await ctx.writes.transaction(async (tx) => {
    const invite = await useInvite(tx, chosen.code, now);
    const name = invite.name ?? chosen.name;
    if (name === undefined) {
      throw refused('name', '`name` is missing; choose what to sign in with.');
    }
    const before = await known(tx, name);
    const account =
      before === null
        ? await addAccount(tx, { ...chosen, name }, invite.role, now)
        : await resetAccount(tx, before, invite.role);
    await saveCredential(tx, account.id);
    const codes = await renewRecoveryCodes(tx, account.id, now);
    const opened = await openSession(
      tx,
      ctx,
      req,
      {
        operatorId: account.id,
        method,
        label: chosen.label ?? deviceLabel(req),
      },
      now,
    );
    const actor: Actor = {
      operatorId: account.id,
      operator: account.name,
      sessionId: opened.sessionId,
    };
    await recordAudit(
      tx,
      actor,
      {
        action: `setup.${method}`,
        subject: `operator:${account.name}`,
        before: before && { role: before.role, state: before.state },
        after: { role: account.role, alias: account.alias, state: 'active' },
      },
      now,
    );
    return { account, codes, opened };
  });
  const { account, codes, opened } = made;
  setSessionCookie(ctx, res, opened);
  const { id: operatorId, name, alias, role } = account;
  const { sessionId, expiresAt } = opened;
  const signedIn: SignedIn = {
    ...{ operatorId, name, alias, role, sessionId, method, expiresAt },
    credentialAt: now,
  };
  return { ...accountAnswer(signedIn), recovery_codes: codes };
}

async function known(
  tx: Tx,
  name: string,
): Promise<(Account & { state: string }) | null> {
  const [row] = await tx.query<Account & { state: string }>(
    `SELECT id, name, alias, role, state FROM operator WHERE name = $1
     FOR UPDATE`,
    [name],
  );
  return row ?? null;
}

async function addAccount(
  tx: Tx,
  { name, alias = name }: { name: string; alias?: string | undefined },
  role: Role,
  now: number,
): Promise<Account> {
  const [row] = await tx.query<Account>(
    `INSERT INTO operator (id, name, alias, role, state, created_at)
     VALUES ($1, $2, $3, $4, 'active', $5) ON CONFLICT DO NOTHING
     RETURNING id, name, alias, role`,
    [randomUUID(), name, alias, role, now],
  );
  if (row !== undefined) return row;
  throw aliasTaken();
}

async function resetAccount(
  tx: Tx,
  { id, role: before }: Account,
  role: Role,
): Promise<Account> {
  if (before === 'admin' && role !== 'admin') await keepAnAdmin(tx, id);
  await tx.query('DELETE FROM operator_passkey WHERE operator_id = $1', [id]);
  await tx.query('DELETE FROM operator_passphrase WHERE operator_id = $1', [
    id,
  ]);
  await endSessions(tx, id);
  const [row] = await tx.query<Account>(
    `UPDATE operator SET role = $2, state = 'active' WHERE id = $1
     RETURNING id, name, alias, role`,
    [id, role],
  );
  if (row === undefined) throw new Error('an account went away');
  return row;
}

/** A link that makes the last admin less than that is not used up. */
async function keepAnAdmin(tx: Tx, id: string): Promise<void> {
  const [other] = await tx.query(
    `SELECT 1 FROM operator
     WHERE role = 'admin' AND state = 'active' AND id <> $1
     ORDER BY id LIMIT 1 FOR UPDATE`,
    [id],
  );
  if (other !== undefined) return;
  throw new BoardError(
    'forbidden',
    'No admin would be left; make another operator an admin first.',
  );
}

export function aliasTaken(): BoardError {
  return refused('alias', 'Another operator has this alias; choose another.');
}

function refused(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}
