import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Request } from 'express';
import type { Context } from '../../context.js';
import type { Sql, Tx } from '../../db/sql.js';
import { ANSWER_MS, ask, wasAsked } from './challenge.js';
import { partyOf, webauthn } from './webauthn.js';

/**
 * What `navigator.credentials.get` is given. It names no credential, so it
 * tells nothing about accounts: the device shows what it has.
 */
export async function passkeyQuestion(
  ctx: Context,
  req: Request,
  about: string,
) {
  const { id } = partyOf(ctx, req);
  const { generateAuthenticationOptions } = await webauthn();
  return await generateAuthenticationOptions({
    rpID: id,
    challenge: new Uint8Array(ask(ctx, about)),
    timeout: ANSWER_MS,
    userVerification: 'required',
  });
}

/** A passkey that signed what it was asked; to be taken yet. */
export type PasskeyProof = {
  operatorId: string;
  credentialId: Buffer;
  counter: number;
  challenge: string;
};

type Row = {
  operator_id: string;
  public_key: Buffer;
  counter: number;
};

/** Checks a signature against the stored key, or null. */
export async function provePasskey(
  ctx: Context,
  req: Request,
  about: string,
  answer: { id: string } & object,
): Promise<PasskeyProof | null> {
  const { id, origin } = partyOf(ctx, req);
  const credentialId = Buffer.from(answer.id, 'base64url');
  const row = await passkeyOf(ctx.writes, credentialId);
  if (row === null) return null;
  const { verifyAuthenticationResponse } = await webauthn();
  let answered = '';
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse(
      {
        response: answer as unknown as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => {
          answered = challenge;
          return wasAsked(ctx, about, challenge);
        },
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true,
        credential: {
          id: answer.id,
          publicKey: new Uint8Array(row.public_key),
          counter: row.counter,
        },
      },
    );
    if (!verified) return null;
    return {
      operatorId: row.operator_id,
      credentialId,
      counter: authenticationInfo.newCounter,
      challenge: answered,
    };
  } catch {
    return null; // as above
  }
}

async function passkeyOf(sql: Sql, credentialId: Buffer): Promise<Row | null> {
  const [row] = await sql.query<Row>(
    `SELECT p.operator_id, p.public_key, p.counter FROM operator_passkey p
     JOIN operator o ON o.id = p.operator_id
     WHERE p.credential_id = $1 AND o.state = 'active'`,
    [credentialId],
  );
  return row ?? null;
}

/** The name of a passkey's account, to count attempts by; null for none. */
export async function ownerOf(
  sql: Sql,
  credential: string,
): Promise<string | null> {
  const [row] = await sql.query<{ name: string }>(
    `SELECT o.name FROM operator_passkey p
     JOIN operator o ON o.id = p.operator_id WHERE p.credential_id = $1`,
    [Buffer.from(credential, 'base64url')],
  );
  return row?.name ?? null;
}

/** Moves the counter on; false when two answers at once went by it. */
export async function takeCounter(
  tx: Tx,
  { credentialId, counter }: PasskeyProof,
  now: number,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE operator_passkey SET counter = $2, used_at = $3
     WHERE credential_id = $1 AND (counter < $2 OR $2 = 0) RETURNING 1`,
    [credentialId, counter, now],
  );
  return rows.length === 1;
}
