import { randomUUID } from 'node:crypto';
import { Not } from 'typeorm';
import {
  Operator,
  OperatorPasskey,
  OperatorPassphrase,
} from '../../db/entities/operator.js';
import { insertNew } from '../../db/insert-new.js';
import type { Tx } from '../../db/sql.js';
import { invalid } from '../../errors.js';
import { actorOf, recordAudit } from '../audit.js';
import type { RequestCall } from '../command.js';
import { aliasTaken, noAdminLeft } from '../refusals.js';
import type { Role } from '../roles.js';
import {
  deviceLabel,
  endSessions,
  forgetDevices,
  openSession,
  setSessionCookie,
} from '../session-store.js';
import { renewRecoveryCodes } from './credentials.js';
import { rememberDevice } from './devices.js';
import { accountAnswer } from './fields.js';
import { endInvites, useInvite } from './invites.js';

type Chosen = {
  code: string;
  name?: string | undefined;
  alias?: string | undefined;
  label?: string | undefined;
};

type Account = Pick<Operator, 'id' | 'name' | 'alias' | 'role'>;

/**
 * Makes account, credential, recovery codes and session, or nothing. For an
 * existing account it replaces credentials and ends sessions.
 * @throws BoardError `not_found` for a dead link, `invalid_input` for a missing
 *   or taken name or alias, `forbidden` where no admin would be left
 */
export async function enrol(
  { ctx, req, res, input: chosen }: RequestCall<Chosen>,
  method: 'passkey' | 'passphrase',
  saveCredential: (tx: Tx, operatorId: string) => Promise<void>,
) {
  const now = ctx.clock.now();
  const { opened, codes, known } = await ctx.writes.transaction(async (tx) => {
    const invite = await useInvite(tx, chosen.code, now);
    const name = invite.name ?? chosen.name;
    if (name === undefined) {
      throw invalid('name', 'Choose a name to sign in with.');
    }
    const before = await tx.manager.findOne(Operator, {
      where: { name },
      lock: { mode: 'pessimistic_write' },
    });
    const account =
      before === null
        ? await addAccount(tx, { ...chosen, name }, invite.role, now)
        : await resetAccount(tx, before, invite.role, now);
    await saveCredential(tx, account.id);
    const codes = await renewRecoveryCodes(tx, account.id, now);
    const label = chosen.label ?? deviceLabel(req);
    const session = { account, method, label };
    const opened = await openSession(tx, ctx, req, session, now);
    const known = await rememberDevice(tx, ctx, req, opened, now);
    const entry = {
      action: `setup.${method}`,
      subject: `operator:${account.name}`,
      before: before && { role: before.role, state: before.state },
      after: { role: account.role, alias: account.alias, state: 'active' },
    };
    await recordAudit(tx, actorOf(opened), entry, now);
    return { opened, codes, known };
  });
  setSessionCookie(ctx, res, opened);
  if (known !== null) res.append('Set-Cookie', known);
  // Shown once; only hashes are stored.
  return { ...accountAnswer(opened), recovery_codes: codes };
}

async function addAccount(
  tx: Tx,
  { name, alias = name }: { name: string; alias?: string | undefined },
  role: Role,
  now: number,
): Promise<Account> {
  const account = { id: randomUUID(), name, alias, role };
  const row = { ...account, state: 'active', createdAt: now } as const;
  const made = await insertNew(tx, Operator, row);
  if (made.length === 0) throw aliasTaken();
  return account;
}

async function resetAccount(
  tx: Tx,
  { id, name, alias, role: before }: Account,
  role: Role,
  now: number,
): Promise<Account> {
  if (before === 'admin' && role !== 'admin') await keepAnAdmin(tx, id);
  await tx.manager.delete(OperatorPasskey, { operatorId: id });
  await tx.manager.delete(OperatorPassphrase, { operatorId: id });
  await endSessions(tx, id, now);
  await forgetDevices(tx, id);
  // Somebody else may have the replaced credentials.
  await endInvites(tx, { id, name });
  await tx.manager.update(Operator, { id }, { role, state: 'active' });
  return { id, name, alias, role };
}

/** Otherwise the link would be used up without effect. */
async function keepAnAdmin({ manager }: Tx, id: string): Promise<void> {
  const other = await manager.findOne(Operator, {
    where: { role: 'admin', state: 'active', id: Not(id) },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  if (other === null) throw noAdminLeft();
}
