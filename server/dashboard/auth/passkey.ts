import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Request } from 'express';
import { LessThan } from 'typeorm';
import type { Context } from '../../context.js';
import { Operator, OperatorPasskey } from '../../db/entities/operator.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { type RelyingParty, relyingParty } from '../session.js';
import { ANSWER_MS, ask, wasAsked } from './challenge.js';

/** It takes a third of a second to load: only those with a passkey wait. */
const webauthn = () => import('@simplewebauthn/server');

/** @throws BoardError `forbidden` where a page cannot have passkeys */
function partyOf(ctx: Context, req: Request): RelyingParty {
  const party = relyingParty(ctx, req);
  if (party !== null) return party;
  throw new BoardError(
    'forbidden',
    'Passkeys need https, or http://localhost; use a passphrase with TOTP here.',
  );
}

/**
 * What `navigator.credentials.get` is given. It names no credential, so it
 * shows nothing about accounts: the device lists its own.
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
          publicKey: new Uint8Array(row.publicKey),
          counter: row.counter,
        },
      },
    );
    if (!verified) return null;
    return {
      operatorId: row.operatorId,
      credentialId,
      counter: authenticationInfo.newCounter,
      challenge: answered,
    };
  } catch {
    return null; // as in verifyNewPasskey
  }
}

/** The passkey of an active account. */
async function passkeyOf(
  { manager }: Sql,
  credentialId: Buffer,
): Promise<OperatorPasskey | null> {
  return await manager
    .createQueryBuilder(OperatorPasskey, 'p')
    .innerJoin(Operator, 'o', "o.id = p.operatorId AND o.state = 'active'")
    .where({ credentialId })
    .getOne();
}

/** The name of a passkey's account, to count attempts by; null for none. */
export async function ownerOf(
  { manager }: Sql,
  credential: string,
): Promise<string | null> {
  const owner = await manager
    .createQueryBuilder(Operator, 'o')
    .innerJoin(OperatorPasskey, 'p', 'p.operatorId = o.id')
    .where('p.credentialId = :id', { id: Buffer.from(credential, 'base64url') })
    .getOne();
  return owner?.name ?? null;
}

/** Moves the counter on; false when another answer has moved it as far. */
export async function takeCounter(
  { manager }: Tx,
  { credentialId, counter }: PasskeyProof,
  now: number,
): Promise<boolean> {
  const { affected } = await manager.getRepository(OperatorPasskey).update(
    // Passkeys without a counter always send 0.
    { credentialId, ...(counter === 0 ? {} : { counter: LessThan(counter) }) },
    { counter, usedAt: now },
  );
  return affected === 1;
}

/** A new passkey, with the challenge that it answered. */
type NewPasskey = {
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
    // The library throws where anything is not as it must be.
  }
  throw new BoardError(
    'invalid_input',
    'The passkey did not answer what this page asked; try again.',
    { field: 'response' },
  );
}

/** Stores a passkey; one that another account has is refused. */
export async function savePasskey(
  { manager }: Tx,
  operatorId: string,
  { challenge: _, ...passkey }: NewPasskey,
  label: string,
  now: number,
): Promise<void> {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(OperatorPasskey)
    .values({ ...passkey, operatorId, label, createdAt: now })
    .orIgnore()
    .returning('operator_id')
    .execute();
  if (raw.length === 1) return;
  throw new BoardError('invalid_input', 'This passkey is enrolled already.', {
    field: 'response',
  });
}
