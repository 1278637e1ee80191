import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import type { Sql } from '../../db/sql.js';
import { parseBody } from '../../http/body/validate.js';
import { answer } from './answers.js';
import { takeAttempt } from './attempts.js';
import { label, typedName } from './fields.js';
import { useRecoveryCode } from './recovery-codes.js';
import { type Proven, signIn } from './sign-in.js';

/** Nobody's account: the same statements run for it, and find nothing. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const request = z.strictObject({
  name: typedName,
  code: z.string().max(100),
  label: label.optional(),
});

/**
 * POST /admin/api/sign-in/recovery `{name, code, label?}`: signs in with one of
 * the codes shown at set-up, each once, to enrol a new passkey or passphrase.
 * 200; 401, 429 as with a passphrase.
 */
export function signInByRecovery(ctx: Context): RequestHandler {
  return async (req, res) => {
    const it = parseBody(request, req.body);
    const attempt = await takeAttempt(ctx, req, it.name);
    const operatorId = (await idOf(ctx.writes, it.name)) ?? NOBODY;
    const now = ctx.clock.now();
    const proven: Proven = {
      operatorId,
      method: 'recovery',
      take: (tx) => useRecoveryCode(tx, operatorId, it.code, now),
    };
    answer(req, res, await signIn(ctx, req, res, proven, attempt, it.label));
  };
}

async function idOf(sql: Sql, name: string): Promise<string | null> {
  const [row] = await sql.query<{ id: string }>(
    "SELECT id FROM operator WHERE name = $1 AND state = 'active'",
    [name],
  );
  return row?.id ?? null;
}
