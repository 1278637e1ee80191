import { MoreThan } from 'typeorm';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { Operator } from '../../db/entities/operator.js';
import { OperatorSession } from '../../db/entities/operator-session.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { plainUuid } from '../../http/body/guess.js';
import { command, type RequestCall } from '../command.js';
import { noSuchOperator } from '../refusals.js';
import {
  clearSessionCookie,
  endSessions,
  forgetDevices,
  IDLE_MS,
} from '../session-store.js';

/** Last used first; `current`: of the asking session. */
async function devicesOf(
  { writes, clock }: Context,
  operatorId: string,
  current: string,
) {
  const now = clock.now();
  const sessions = await writes.manager.find(OperatorSession, {
    where: {
      operatorId,
      expiresAt: MoreThan(now),
      seenAt: MoreThan(now - IDLE_MS),
    },
    order: { seenAt: 'DESC', id: 'ASC' },
  });
  return sessions.map(({ id, label, method, ...at }) => ({
    id,
    current: id === current,
    label,
    method,
    created_at: publicTime(at.createdAt),
    seen_at: publicTime(at.seenAt),
    expires_at: publicTime(Math.min(at.expiresAt, at.seenAt + IDLE_MS)),
  }));
}

type Which = {
  only?: string;
  but?: string;
  /** Signs out but stays known. */
  keepDevice?: true;
};

function end(
  { audit, operator }: RequestCall,
  which: Which = {},
  account?: (sql: Sql) => Promise<{ id: string; name: string }>,
): Promise<number> {
  return audit(async (tx, now) => {
    const { operatorId, name: own } = operator;
    const { id, name } = (await account?.(tx)) ?? { id: operatorId, name: own };
    const sessions = await endSessions(tx, id, now, which);
    if (which.keepDevice !== true) await forgetDevices(tx, id, which);
    if (sessions.length === 0) return { answer: 0 };
    const subject = `operator:${name}`;
    return { answer: sessions.length, subject, before: { sessions } };
  });
}

/** `{data: [device]}`, newest first. */
export const listSessions = command({
  name: 'session.list',
  http: 'GET /sessions',
  right: 'viewer',
  handle: async ({ ctx, operator: { operatorId, sessionId } }) => ({
    data: await devicesOf(ctx, operatorId, sessionId),
  }),
});

export const signOut = command({
  name: 'session.sign_out',
  http: 'POST /sign-out',
  right: 'viewer',
  handle: async (call) => {
    const only = call.operator.sessionId;
    await end(call, { only, keepDevice: true });
    clearSessionCookie(call.ctx, call.res);
    return { signed_in: false };
  },
});

/** `{ended: 1}`; 404 also for another operator's. */
export const revokeSession = command({
  name: 'session.revoke',
  http: 'POST /sessions/:id/revoke',
  right: 'viewer',
  handle: async (call) => {
    const only = plainUuid(call.req.params.id);
    const ended = only === null ? 0 : await end(call, { only });
    if (ended === 0) {
      throw new BoardError('not_found', 'You have no such open session.');
    }
    if (only === call.operator.sessionId)
      clearSessionCookie(call.ctx, call.res);
    return { ended };
  },
});

/** `{ended}`, without this session. */
export const revokeOtherSessions = command({
  name: 'session.revoke_others',
  http: 'POST /sessions/revoke-others',
  right: 'viewer',
  handle: async (call) => ({
    ended: await end(call, { but: call.operator.sessionId }),
  }),
});

export const listOperatorSessions = command({
  name: 'operator.sessions',
  http: 'GET /operators/:id/sessions',
  right: 'viewer',
  handle: async ({ ctx, req, operator }) => {
    const { id } = await accountOf(req.params.id)(ctx.writes);
    return { data: await devicesOf(ctx, id, operator.sessionId) };
  },
});

/** `{ended: 1}`, 404. */
export const revokeOperatorSession = command({
  name: 'operator.revoke_session',
  http: 'POST /operators/:id/sessions/:session/revoke',
  right: 'admin',
  fresh: true,
  handle: async (call) => {
    const { id, session } = call.req.params;
    const only = plainUuid(session);
    const ended = only === null ? 0 : await end(call, { only }, accountOf(id));
    if (ended === 0) {
      throw new BoardError('not_found', 'There is no such open session.');
    }
    return { ended };
  },
});

export const signOutOperator = command({
  name: 'operator.sign_out',
  http: 'POST /operators/:id/sign-out',
  right: 'admin',
  fresh: true,
  handle: async (call) => ({
    ended: await end(call, {}, accountOf(call.req.params.id)),
  }),
});

/** @throws BoardError `not_found` */
function accountOf(text: unknown) {
  return async ({ manager }: Sql): Promise<Pick<Operator, 'id' | 'name'>> => {
    const id = plainUuid(text);
    const account = id && (await manager.findOneBy(Operator, { id }));
    if (!account) throw noSuchOperator();
    return account;
  };
}
