import type { RequestHandler } from 'express';
import { z } from 'zod';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { actorOf, recordAudit } from '../audit.js';
import { operatorOf, type SignedIn } from '../session.js';
import { endSessions } from '../session-store.js';
import { answer } from './answers.js';
import { renewRecoveryCodes } from './recovery-codes.js';

const nothing = z.strictObject({});

export type CredentialsAnswer = {
  passkeys: {
    id: string;
    label: string;
    created_at: string;
    used_at: string | null;
  }[];
  passphrase: { created_at: string } | null;
  recovery_codes_left: number;
};

type PasskeyRow = {
  credential_id: Buffer;
  label: string;
  created_at: number;
  used_at: number | null;
};

async function passkeysOf(sql: Sql, id: string): Promise<PasskeyRow[]> {
  return await sql.query<PasskeyRow>(
    `SELECT credential_id, label, created_at, used_at FROM operator_passkey
     WHERE operator_id = $1 ORDER BY created_at, credential_id`,
    [id],
  );
}

/** The credential IDs of an operator, which a device must not add again. */
export async function credentialIds(
  sql: Sql,
  operatorId: string,
): Promise<Buffer[]> {
  const rows = await passkeysOf(sql, operatorId);
  return rows.map(({ credential_id }) => credential_id);
}

/** GET /admin/api/credentials: what the operator can sign in with. */
export function listCredentials(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { operatorId } = operatorOf(req);
    const [more] = await ctx.writes.query<{
      created_at: number | null;
      codes: number;
    }>(
      `SELECT (SELECT created_at FROM operator_passphrase
           WHERE operator_id = $1) AS created_at,
         (SELECT count(*) FROM operator_recovery
           WHERE operator_id = $1 AND used_at IS NULL) AS codes`,
      [operatorId],
    );
    const passkeys = await passkeysOf(ctx.writes, operatorId);
    const since = more?.created_at ?? null;
    const shown: CredentialsAnswer = {
      passkeys: passkeys.map((row) => ({
        id: row.credential_id.toString('base64url'),
        label: row.label,
        created_at: publicTime(row.created_at),
        used_at: row.used_at === null ? null : publicTime(row.used_at),
      })),
      passphrase: since === null ? null : { created_at: publicTime(since) },
      recovery_codes_left: more?.codes ?? 0,
    };
    answer(req, res, shown);
  };
}

/**
 * POST /admin/api/credentials/passkey/{id}/remove `{}`: the passkey opens
 * nothing any more, and the operator's other sessions end. 404; 403 for the
 * last credential.
 */
export function removePasskey(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const operator = operatorOf(req);
    const id = Buffer.from(String(req.params.id), 'base64url');
    await ctx.writes.transaction(async (tx) => {
      await lockAccount(tx, operator);
      const rows = await tx.query<{ label: string }>(
        `DELETE FROM operator_passkey
         WHERE credential_id = $1 AND operator_id = $2 RETURNING label`,
        [id, operator.operatorId],
      );
      const [gone] = rows;
      if (gone === undefined) {
        throw new BoardError('not_found', 'You have no such passkey.');
      }
      const [left] = await tx.query(
        `SELECT 1 FROM operator_passkey WHERE operator_id = $1
         UNION ALL
         SELECT 1 FROM operator_passphrase WHERE operator_id = $1 LIMIT 1`,
        [operator.operatorId],
      );
      if (left === undefined) {
        throw new BoardError(
          'forbidden',
          'It is the only credential you have; enrol another one first.',
        );
      }
      await endSessions(tx, operator.operatorId, { but: operator.sessionId });
      const deed = {
        action: 'credential.remove_passkey',
        subject: `operator:${operator.name}`,
        before: { passkey: gone.label },
      };
      await recordAudit(tx, actorOf(operator), deed, ctx.clock.now());
    });
    answer(req, res, { removed: true });
  };
}

/** One change of an account's credentials at a time. */
export async function lockAccount(
  sql: Sql,
  { operatorId }: SignedIn,
): Promise<void> {
  await sql.query('SELECT 1 FROM operator WHERE id = $1 FOR UPDATE', [
    operatorId,
  ]);
}

/**
 * POST /admin/api/credentials/recovery `{}`: `{recovery_codes}`, ten new ones
 * in place of all older ones; they are shown this once.
 */
export function newRecoveryCodes(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const operator = operatorOf(req);
    const now = ctx.clock.now();
    const codes = await ctx.writes.transaction(async (tx) => {
      await lockAccount(tx, operator);
      const made = await renewRecoveryCodes(tx, operator.operatorId, now);
      const deed = {
        action: 'credential.recovery',
        subject: `operator:${operator.name}`,
      };
      await recordAudit(tx, actorOf(operator), deed, now);
      return made;
    });
    answer(req, res, { recovery_codes: codes });
  };
}
