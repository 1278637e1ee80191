import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Request } from 'express';
import type { Context } from '../../context.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { ANSWER_MS, ask, wasAsked } from './challenge.js';
import { partyOf, webauthn } from './webauthn.js';

/** A new passkey, with the challenge that it answered. */
export type NewPasskey = {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  challenge: string;
};

/** What `navigator.credentials.create` is given. */
export async function newPasskeyOptions(
  ctx: Context,
  req: Request,
  about: string,
  account: { name: string; alias: string; have: readonly Buffer[] },
) {
  const { id } = partyOf(ctx, req);
  const { generateRegistrationOptions } = await webauthn();
  return await generateRegistrationOptions({
    rpName: ctx.config.boardTitle,
    rpID: id,
    userName: account.name,
    userDisplayName: account.alias,
    challenge: new Uint8Array(ask(ctx, `enrol ${about}`)),
    timeout: ANSWER_MS,
    attestationType: 'none',
    excludeCredentials: account.have.map((credential) => ({
      id: credential.toString('base64url'),
    })),
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: 'required',
    },
  });
}

/**
 * Checks a new passkey's answer.
 * @throws BoardError `invalid_input` when it is not what was asked for
 */
export async function verifyNewPasskey(
  ctx: Context,
  req: Request,
  about: string,
  response: object,
): Promise<NewPasskey> {
  const { id, origin } = partyOf(ctx, req);
  const { verifyRegistrationResponse } = await webauthn();
  let answered = '';
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => {
        answered = challenge;
        return wasAsked(ctx, `enrol ${about}`, challenge);
      },
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (verified) {
      const { credential } = registrationInfo;
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: (credential.transports ?? []).slice(0, 8).map(String),
        challenge: answered,
      };
    }
  } catch {
    // The library throws at whatever is not as it must be.
  }
  throw new BoardError(
    'invalid_input',
    'The passkey did not answer what this page asked; try again.',
    { field: 'response' },
  );
}

/** Stores a passkey; one that another account has is refused. */
export async function savePasskey(
  tx: Tx,
  operatorId: string,
  passkey: NewPasskey,
  label: string,
  now: number,
): Promise<void> {
  const rows = await tx.query(
    `INSERT INTO operator_passkey (credential_id, operator_id, public_key,
       counter, transports, label, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1`,
    [
      ...[passkey.credentialId, operatorId, passkey.publicKey],
      ...[passkey.counter, passkey.transports, label, now],
    ],
  );
  if (rows.length === 1) return;
  throw new BoardError('invalid_input', 'This passkey is enrolled already.', {
    field: 'response',
  });
}
