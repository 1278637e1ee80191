import { z } from 'zod';
import { publicTime } from '../../clock.js';
import { Operator } from '../../db/entities/operator.js';
import type { Sql, Tx } from '../../db/sql.js';
import { plainUuid } from '../../http/body/guess.js';
import { endClaims } from '../../moderation/index.js';
import { type Actor, actorOf, recordAudit } from '../audit.js';
import { command } from '../command.js';
import {
  aliasTaken,
  assertSeen,
  noAdminLeft,
  noSuchOperator,
  notAdmin,
} from '../refusals.js';
import { reaches } from '../roles.js';
import { endSessions, forgetDevices } from '../session-store.js';
import { accountRows, lockOperators } from './access.sql.js';
import { alias, role } from './fields.js';
import { endInvites, openInvites } from './invites.js';

type Account = Omit<Operator, 'createdAt'> & { created_at: string };

export async function listAccounts(sql: Sql, now: number) {
  const rows = await accountRows(sql, now);
  return rows.map(({ passkeys, passphrase, sessions, ...row }) => {
    const { created_at: createdAt, last_seen_at: seenAt, ...account } = row;
    return {
      ...account,
      created_at: publicTime(createdAt),
      credentials: { passkeys, passphrase },
      sessions,
      /** Of signed-in devices. */
      last_seen_at: seenAt === null ? null : publicTime(seenAt),
    };
  });
}

type Change = Partial<Pick<Operator, 'role' | 'state'>>;

const seen = z
  .strictObject({ role, state: z.enum(['active', 'disabled']) })
  .optional()
  .describe('As it was shown.');

type Order = {
  /** Or the name, for the command line. */
  id: string | null;
  action: string;
  to: Change;
  by: Actor;
  now: number;
  seen?: z.output<typeof seen> | undefined;
};

/**
 * Null for an unknown account. One that loses a right loses its set-up links, a
 * disabled one its sessions, and who decides no more its claims.
 * @throws BoardError `forbidden` where no admin would be left, or the caller
 *   lost the right meanwhile; of `assertSeen`
 */
export async function changeAccount(
  tx: Tx,
  { id, action, to, by, now, seen }: Order,
): Promise<Account | null> {
  // When two admins disable each other, the second has lost the right.
  await lockOperators(tx);
  const all = await tx.manager.find(Operator);
  const before = all.find((row) => row.id === id || row.name === id);
  if (before === undefined) return null;
  const after = { ...before, ...to };
  const isAdmin = ({ role, state }: Operator) =>
    role === 'admin' && state === 'active';
  if (by.operatorId !== null) {
    const admins = all.filter(isAdmin);
    if (!admins.some((it) => it.id === by.operatorId)) throw notAdmin();
    if (![after, ...admins.filter((it) => it !== before)].some(isAdmin)) {
      throw noAdminLeft();
    }
  }
  const { name, role, state } = before;
  assertSeen(seen, { role, state }, 'account');
  await tx.manager.update(Operator, { id: before.id }, to);
  if (after.state === 'disabled' || !reaches(after.role, role)) {
    await endInvites(tx, before);
  }
  if (after.state === 'disabled') {
    await endSessions(tx, before.id, now);
    await forgetDevices(tx, before.id);
  } else if (!reaches(after.role, 'moderator')) {
    await endClaims(tx, { operatorId: before.id }, now);
  }
  const entry = {
    action,
    subject: `operator:${name}`,
    before: { role, state },
    after: { role: after.role, state: after.state },
  };
  await recordAudit(tx, by, entry, now);
  const { createdAt, ...account } = after;
  return { ...account, created_at: publicTime(createdAt) };
}

export const listOperators = command({
  name: 'operator.list',
  http: 'GET /operators',
  right: 'viewer',
  handle: async ({ ctx: { writes, clock } }) => {
    const now = clock.now();
    const data = await listAccounts(writes, now);
    return { data, invites: await openInvites(writes, now) };
  },
});

/** 403 for the last admin; 404. */
function change<
  const Verb extends string,
  Input extends z.ZodType<Pick<Order, 'seen'> & Change>,
>(verb: Verb, input: Input, to: Change) {
  const name = `operator.${verb}` as const;
  return command({
    name,
    http: `POST /operators/:id/${verb}`,
    right: 'admin',
    fresh: true,
    input,
    handle: async ({ ctx, req, operator, input: { seen, ...more } }) => {
      const id = plainUuid(req.params.id);
      const by = actorOf(operator);
      const change = { id, action: name, by, seen, to: { ...to, ...more } };
      const account = await ctx.writes.transaction((tx) =>
        changeAccount(tx, { ...change, now: ctx.clock.now() }),
      );
      if (account === null) throw noSuchOperator();
      return account;
    },
  });
}

const shown = z.strictObject({ seen });
export const changeRole = change('role', shown.extend({ role }), {});
export const disableOperator = change('disable', shown, { state: 'disabled' });
export const enableOperator = change('enable', shown, { state: 'active' });

/** For decisions from now on (spec/operators.md §2.7). 400 for a taken one. */
export const changeAlias = command({
  name: 'account.alias',
  http: 'POST /account/alias',
  right: 'viewer',
  fresh: true,
  input: z.strictObject({ alias }),
  handle: ({ operator, input: to, audit }) =>
    audit(async (tx) => {
      const { operatorId: id, name, alias } = operator;
      await lockOperators(tx);
      const other = await tx.manager
        .createQueryBuilder(Operator, 'o')
        .where('lower(o.alias) = lower(:alias) AND o.id <> :id', { ...to, id })
        .getExists();
      if (other) throw aliasTaken();
      await tx.manager.update(Operator, { id }, to);
      const subject = `operator:${name}`;
      return { answer: to, subject, before: { alias }, after: to };
    }),
});
