import type { RequestHandler } from 'express';
import { z } from 'zod';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import type { Role } from '../roles.js';
import { relyingParty } from '../session-origin.js';
import {
  answer,
  type BoardAnswer,
  boardAnswer,
  type Method,
} from './answers.js';
import { inviteCode } from './fields.js';
import { lookUpInvite } from './invite.js';

const request = z.strictObject({ code: inviteCode });

export type SetupLookAnswer = {
  /** Null when it is for whoever opens it to choose. */
  name: string | null;
  role: Role;
  expires_at: string;
  methods: Method[];
  board: BoardAnswer;
};

/**
 * POST /admin/api/setup/look `{code}`: what a set-up link is for, without using
 * it up (spec/operators.md §1.1). 404 for one that does not work any more.
 */
export function lookAtSetup(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { code } = parseBody(request, req.body);
    const invite = await lookUpInvite(ctx.writes, code, ctx.clock.now());
    const methods: Method[] =
      relyingParty(ctx, req) === null
        ? ['passphrase']
        : ['passkey', 'passphrase'];
    const shown: SetupLookAnswer = {
      name: invite.name,
      role: invite.role,
      expires_at: publicTime(invite.expires_at),
      methods,
      board: boardAnswer(ctx),
    };
    answer(req, res, shown);
  };
}
