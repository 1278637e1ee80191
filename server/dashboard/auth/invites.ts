import type { RequestHandler } from 'express';
import { z } from 'zod';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { actorOf, recordAudit } from '../audit.js';
import type { Role } from '../roles.js';
import { operatorOf } from '../session.js';
import { answer } from './answers.js';
import { operatorName, role } from './fields.js';
import { createInvite, INVITE_MS, setupLink } from './invite.js';

const nothing = z.strictObject({});
const invitation = z.strictObject({ name: operatorName, role });

/** A set-up link that waits to be opened; its code is not kept. */
export type InviteAnswer = { name: string; role: Role; expires_at: string };

/** The links that still work, but for the first operator's. */
export async function openInvites(
  sql: Sql,
  now: number,
): Promise<InviteAnswer[]> {
  const rows = await sql.query<{ name: string; role: Role; at: number }>(
    `SELECT name, role, expires_at AS at FROM operator_invite
     WHERE name IS NOT NULL AND used_at IS NULL AND expires_at > $1
     ORDER BY name`,
    [now],
  );
  return rows.map(({ name, role, at }) => ({
    ...{ name, role, expires_at: publicTime(at) },
  }));
}

/**
 * POST /admin/api/operators/invite `{name, role}`: 201 `{name, role, url,
 * expires_at}`, a set-up link that is shown this once. For a name that exists
 * it replaces its credentials.
 */
export function inviteOperator(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { name, role } = parseBody(invitation, req.body);
    const operator = operatorOf(req);
    const now = ctx.clock.now();
    const code = await ctx.writes.transaction(async (tx) => {
      const made = await createInvite(tx, name, role, now);
      const deed = {
        action: 'operator.invite',
        subject: `operator:${name}`,
        after: { role },
      };
      await recordAudit(tx, actorOf(operator), deed, now);
      return made;
    });
    const url = setupLink(ctx, code, req.socket.localPort ?? 0);
    const expires_at = publicTime(now + INVITE_MS);
    answer(req, res, { name, role, url, expires_at }, 201);
  };
}

/**
 * POST /admin/api/operators/invites/{name}/cancel `{}`: the link opens nothing
 * any more; `{cancelled: true}`, 404 without an open one.
 */
export function cancelInvite(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const operator = operatorOf(req);
    const now = ctx.clock.now();
    const name = String(req.params.name);
    await ctx.writes.transaction(async (tx) => {
      const [gone] = await tx.query<{ role: Role }>(
        `DELETE FROM operator_invite
         WHERE name = $1 AND used_at IS NULL AND expires_at > $2
         RETURNING role`,
        [name, now],
      );
      if (gone === undefined) {
        throw new BoardError('not_found', 'There is no such open link.');
      }
      const deed = {
        action: 'operator.cancel_invite',
        subject: `operator:${name}`,
        before: { role: gone.role },
      };
      await recordAudit(tx, actorOf(operator), deed, now);
    });
    answer(req, res, { cancelled: true });
  };
}
