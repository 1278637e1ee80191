import { IsNull, MoreThan, Not } from 'typeorm';
import { z } from 'zod';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { Operator, OperatorInvite } from '../../db/entities/operator.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { command } from '../command.js';
import { assertSeen, notAdmin } from '../refusals.js';
import { setupAddress } from '../session.js';
import { newToken, tokenHash } from '../session-store.js';
import { lockOperators } from './access.sql.js';
import { operatorName, role } from './fields.js';

/** spec/operators.md §1.1 */
export const INVITE_MS = 60 * 60_000;

/** `name` null: the first operator chooses one. */
type Invite = Pick<OperatorInvite, 'name' | 'role' | 'expiresAt'>;

/**
 * Replaces an unused one of the same name. Without a name it is the first
 * operator's.
 * @throws BoardError `forbidden` for a maker who is no admin any more
 */
export async function createInvite(
  tx: Tx,
  invite: Pick<OperatorInvite, 'name' | 'role' | 'madeBy'>,
  now: number,
): Promise<string> {
  const { manager } = tx;
  const { name } = invite;
  const code = newToken();
  const times = { createdAt: now, expiresAt: now + INVITE_MS };
  await lockOperators(tx);
  if (!(await mayInvite(tx, invite))) throw notAdmin();
  if (name !== null) {
    await manager.delete(OperatorInvite, { name, usedAt: IsNull() });
  }
  const row = { codeHash: tokenHash(code), ...invite, ...times };
  await manager.insert(OperatorInvite, row);
  return code;
}

/** Unused links by this account and for it. */
export async function endInvites(
  { manager }: Tx,
  { id, name }: Pick<Operator, 'id' | 'name'>,
): Promise<void> {
  const unused = { usedAt: IsNull() };
  const whose = [{ madeBy: id }, { name }].map((it) => ({ ...it, ...unused }));
  await manager.delete(OperatorInvite, whose);
}

/** A link ends with its maker's right. */
async function mayInvite(
  { manager }: Sql,
  { madeBy: id }: Pick<OperatorInvite, 'madeBy'>,
): Promise<boolean> {
  if (id === null) return true;
  const admin = { role: 'admin', state: 'active' } as const;
  return await manager.existsBy(Operator, { id, ...admin });
}

const seen = z.strictObject({ role, expires_at: z.iso.datetime() });
const open = (now: number) => ({ usedAt: IsNull(), expiresAt: MoreThan(now) });

/** Locks; null: no link of that name is open. */
async function openLink(tx: Tx, name: string, now: number) {
  await lockOperators(tx);
  const which = { name, ...open(now) };
  const found = await tx.manager.findOneBy(OperatorInvite, which);
  if (found === null) return null;
  return { role: found.role, expires_at: publicTime(found.expiresAt) };
}

export async function lookUpInvite(
  { writes, clock }: Pick<Context, 'writes' | 'clock'>,
  code: string,
): Promise<Invite> {
  const { manager } = writes;
  const works = { codeHash: tokenHash(code), ...open(clock.now()) };
  const invite = await manager.findOneBy(OperatorInvite, works);
  if (invite === null || !(await mayInvite(writes, invite))) throw gone();
  if (invite.name === null && (await manager.exists(Operator))) throw gone();
  return invite;
}

export async function useInvite(
  tx: Tx,
  code: string,
  now: number,
): Promise<Invite> {
  const { manager } = tx;
  const codeHash = tokenHash(code);
  const works = { codeHash, ...open(now) };
  // Two simultaneous first links must not make two first operators, and makers
  // may lose their right.
  await lockOperators(tx);
  const used = await manager.update(OperatorInvite, works, { usedAt: now });
  if (used.affected === 0) throw gone();
  const invite = await manager.findOneByOrFail(OperatorInvite, { codeHash });
  if (!(await mayInvite(tx, invite))) throw gone();
  if (invite.name === null && (await manager.exists(Operator))) throw gone();
  return invite;
}

function gone(): BoardError {
  return new BoardError(
    'not_found',
    'This set-up link was used, is older than an hour, or never was one; ask for another with "reserve-board operator invite".',
  );
}

/** The code is in the fragment, which servers never see. */
export function setupLink(
  ctx: Pick<Context, 'config'>,
  code: string,
  port: number,
): string {
  return `${setupAddress(ctx, port)}/admin/setup#${code}`;
}

/**
 * Null when there is an operator (spec/operators.md §1.1): no board has a
 * default passphrase. `port` is the one it listens on.
 */
export async function firstOperatorLink(
  ctx: Pick<Context, 'writes' | 'clock' | 'config'>,
  port: number,
): Promise<string | null> {
  const code = await ctx.writes.transaction(async (tx) => {
    if (await tx.manager.exists(Operator)) return null;
    const first = { name: null, role: 'admin', madeBy: null } as const;
    return await createInvite(tx, first, ctx.clock.now());
  });
  return code === null ? null : setupLink(ctx, code, port);
}

/** Without that of the first operator; codes are not stored. */
export async function openInvites({ manager }: Sql, now: number) {
  const invites = await manager.find(OperatorInvite, {
    where: { name: Not(IsNull()), ...open(now) },
    order: { name: 'ASC' },
  });
  const makers = await manager.find(Operator, {
    select: { id: true, name: true },
  });
  const names = new Map(makers.map(({ id, name }) => [id, name]));
  return invites.map(({ name, role, madeBy, expiresAt }) => ({
    // The first operator's alone has none, and is not among them.
    name: name ?? '',
    role,
    expires_at: publicTime(expiresAt),
    /** Null: the command line. */
    made_by: madeBy === null ? null : (names.get(madeBy) ?? null),
  }));
}

/** 201 `{name, role, url, expires_at}`, shown once; 409 for another open link than `seen`. */
export const inviteOperator = command({
  name: 'operator.invite',
  http: 'POST /operators/invite',
  right: 'admin',
  fresh: true,
  input: z.strictObject({ name: operatorName, role, seen: seen.nullish() }),
  status: 201,
  handle: ({ ctx, req, operator, input: { name, role, seen }, audit }) =>
    audit(async (tx, now) => {
      assertSeen(seen, await openLink(tx, name, now), 'set-up link');
      const madeBy = operator.operatorId;
      const code = await createInvite(tx, { name, role, madeBy }, now);
      const url = setupLink(ctx, code, req.socket.localPort ?? 0);
      const expires_at = publicTime(now + INVITE_MS);
      const answer = { name, role, url, expires_at };
      return { answer, subject: `operator:${name}`, after: { role } };
    }),
});

/** 404; 409 for another link than the one that was seen. */
export const cancelInvite = command({
  name: 'operator.cancel_invite',
  http: 'POST /operators/invites/:name/cancel',
  right: 'admin',
  fresh: true,
  input: z.strictObject({ seen: seen.optional() }),
  handle: ({ req, input, audit }) =>
    audit(async (tx, now) => {
      const name = String(req.params.name);
      const present = await openLink(tx, name, now);
      if (present === null) {
        throw new BoardError('not_found', 'There is no such open link.');
      }
      assertSeen(input.seen, present, 'set-up link');
      await tx.manager.delete(OperatorInvite, { name, ...open(now) });
      const answer = { cancelled: true };
      const before = { role: present.role };
      return { answer, subject: `operator:${name}`, before };
    }),
});
