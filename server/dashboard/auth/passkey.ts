import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Request } from 'express';
import { LessThan } from 'typeorm';
import type { Context } from '../../context.js';
import { OperatorPasskey } from '../../db/entities/operator.js';
import { insertNew } from '../../db/insert-new.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError, invalid } from '../../errors.js';
import { type RelyingParty, relyingParty } from '../session.js';
import type { Proven } from './attempts.js';
import { ANSWER_MS, ask, spendChallenge, wasAsked } from './challenge.js';
import { isDerSignature } from './der-signature.js';

/** Loading takes a third of a second: only passkeys wait for it. */
const webauthn = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

type Answer = {
  id: string;
  response: { clientDataJSON: string; signature?: unknown };
};

/** @throws BoardError `forbidden` where a page cannot have passkeys */
function partyOf(ctx: Context, req: Request): RelyingParty {
  const party = relyingParty(ctx, req);
  if (party !== null) return party;
  throw new BoardError(
    'forbidden',
    'Passkeys need https, or http://localhost; use a passphrase with TOTP here.',
  );
}

/** Names no credential, so it reveals nothing: the device lists its own. */
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

/** `answered` becomes the challenge of the answer. */
function expected(ctx: Context, req: Request, about: string) {
  const { id, origin } = partyOf(ctx, req);
  let answered = '';
  return {
    answered: () => answered,
    checks: {
      expectedChallenge: (challenge: string) => {
        answered = challenge;
        return wasAsked(ctx, about, challenge);
      },
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    },
  };
}

/** The dashboard is never framed. */
async function isFramed({ response }: Answer): Promise<boolean> {
  const { decodeClientDataJSON } = await helpers();
  const { crossOrigin, topOrigin } = decodeClientDataJSON(
    response.clientDataJSON,
  );
  return (crossOrigin ?? false) !== false || topOrigin !== undefined;
}

/** COSE's key type of ECDSA (RFC 9053 §7.1). */
const EC2 = 2;

/** True for keys without a strict form. */
async function hasItsForm(
  publicKey: Uint8Array<ArrayBuffer>,
  { response: { signature } }: Answer,
): Promise<boolean> {
  const { cose, decodeCredentialPublicKey, isoBase64URL } = await helpers();
  const key = decodeCredentialPublicKey(publicKey);
  if (key.get(cose.COSEKEYS.kty) !== EC2) return true;
  return isDerSignature(Buffer.from(isoBase64URL.toBuffer(String(signature))));
}

/** Null unless it is right and the account is active. */
export async function provePasskey(
  ctx: Context,
  req: Request,
  about: string,
  answer: Answer,
): Promise<Proven | null> {
  const { answered, checks } = expected(ctx, req, about);
  const credentialId = Buffer.from(answer.id, 'base64url');
  const row = await ctx.writes.manager
    .createQueryBuilder(OperatorPasskey, 'p')
    .innerJoin('p.operator', 'o')
    .where({ credentialId, operator: { state: 'active' } })
    .getOne();
  if (row === null) return null;
  const { operatorId, counter } = row;
  const publicKey = new Uint8Array(row.publicKey);
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    if (await isFramed(answer)) return null;
    if (!(await hasItsForm(publicKey, answer))) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse(
      {
        ...checks,
        response: answer as unknown as AuthenticationResponseJSON,
        credential: { id: answer.id, publicKey, counter },
      },
    );
    if (!verified) return null;
    const now = ctx.clock.now();
    const to = { counter: authenticationInfo.newCounter, usedAt: now };
    return {
      operatorId,
      method: 'passkey',
      take: async (tx) =>
        (await spendChallenge(tx, answered(), now)) &&
        (await takeCounter(tx, credentialId, to)),
    };
  } catch {
    return null; // as in verifyNewPasskey
  }
}

/** False when another answer was first. */
async function takeCounter(
  { manager }: Tx,
  credentialId: Buffer,
  to: { counter: number; usedAt: number },
): Promise<boolean> {
  // Passkeys without a counter always send 0, others never.
  const before = to.counter === 0 ? 0 : LessThan(to.counter);
  const which = { credentialId, counter: before };
  return (await manager.update(OperatorPasskey, which, to)).affected === 1;
}

/** Attempts are counted by it; null for none. */
export async function ownerOf(
  { manager }: Sql,
  credential: string,
): Promise<string | null> {
  const passkey = await manager
    .createQueryBuilder(OperatorPasskey, 'p')
    .innerJoinAndSelect('p.operator', 'o')
    .where({ credentialId: Buffer.from(credential, 'base64url') })
    .getOne();
  return passkey?.operator?.name ?? null;
}

/**
 * True without attestation, as requested, or with a packed one without
 * certificates (WebAuthn §5.1.3). The library would fetch revocation lists from
 * addresses in certificates.
 */
async function vouchesForItself(attestation: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const object = decodeAttestationObject(isoBase64URL.toBuffer(attestation));
  const format = object.get('fmt');
  if (format === 'packed') {
    return object.get('attStmt').get('x5c') === undefined;
  }
  return format === 'none';
}

type NewPasskey = Pick<
  OperatorPasskey,
  'credentialId' | 'publicKey' | 'counter' | 'transports'
> & { challenge: string };

export async function newPasskeyOptions(
  ctx: Context,
  req: Request,
  about: string,
  account: { name: string; alias: string; have: readonly OperatorPasskey[] },
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
    excludeCredentials: account.have.map(({ credentialId }) => ({
      id: credentialId.toString('base64url'),
    })),
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: 'required',
    },
  });
}

/** @throws BoardError `invalid_input` for a wrong answer */
export async function verifyNewPasskey(
  ctx: Context,
  req: Request,
  about: string,
  answer: Answer,
): Promise<NewPasskey> {
  const { answered, checks } = expected(ctx, req, `enrol ${about}`);
  const { verifyRegistrationResponse } = await webauthn();
  const response = answer as unknown as RegistrationResponseJSON;
  try {
    const plain = await vouchesForItself(response.response.attestationObject);
    const { registrationInfo } = plain
      ? await verifyRegistrationResponse({ ...checks, response })
      : {};
    const credential = registrationInfo?.credential;
    // `credential.id` is what the library checked; `answer.id` is what the
    // browser claimed.
    if (credential?.id === answer.id && !(await isFramed(answer))) {
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: (credential.transports ?? []).slice(0, 8).map(String),
        challenge: answered(),
      };
    }
  } catch {
    // The library throws for every fault.
  }
  throw invalid(
    'response',
    'The passkey did not answer what this page asked; try again.',
  );
}

/** Refuses one of another account. */
export async function savePasskey(
  tx: Tx,
  operatorId: string,
  { challenge: _, ...passkey }: NewPasskey,
  label: string,
  now: number,
): Promise<void> {
  const row = { ...passkey, operatorId, label, createdAt: now };
  if ((await insertNew(tx, OperatorPasskey, row)).length === 1) return;
  throw invalid('response', 'This passkey is enrolled already.');
}
