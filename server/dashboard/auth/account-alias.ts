import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { actorOf, recordAudit } from '../audit.js';
import { operatorOf } from '../session.js';
import { answer } from './answers.js';
import { aliasTaken } from './enrol.js';
import { alias } from './fields.js';

const request = z.strictObject({ alias });

/**
 * POST /admin/api/account/alias `{alias}`: the name under which decisions of
 * this operator appear from now on (spec/operators.md §2.7). 400 for a taken
 * one.
 */
export function changeAlias(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { alias } = parseBody(request, req.body);
    const operator = operatorOf(req);
    await ctx.writes.transaction(async (tx) => {
      // Aliases are few and change rarely: one at a time needs no retry.
      await tx.query('LOCK TABLE operator IN SHARE ROW EXCLUSIVE MODE');
      const [other] = await tx.query(
        'SELECT 1 FROM operator WHERE lower(alias) = lower($1) AND id <> $2',
        [alias, operator.operatorId],
      );
      if (other !== undefined) throw aliasTaken();
      await tx.query('UPDATE operator SET alias = $2 WHERE id = $1', [
        operator.operatorId,
        alias,
      ]);
      const deed = {
        action: 'account.alias',
        subject: `operator:${operator.name}`,
        before: { alias: operator.alias },
        after: { alias },
      };
      await recordAudit(tx, actorOf(operator), deed, ctx.clock.now());
    });
    answer(req, res, { alias });
  };
}
