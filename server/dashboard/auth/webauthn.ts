import type { Request } from 'express';
import type { Context } from '../../context.js';
import { BoardError } from '../../errors.js';
import { type RelyingParty, relyingParty } from '../session-origin.js';

/** A third of a second to load, which only whoever has a passkey waits. */
export const webauthn = () => import('@simplewebauthn/server');

/** @throws BoardError `forbidden` where a page cannot have passkeys */
export function partyOf(ctx: Context, req: Request): RelyingParty {
  const party = relyingParty(ctx, req);
  if (party !== null) return party;
  throw new BoardError(
    'forbidden',
    'Passkeys need https, or http://localhost; use a passphrase with TOTP here.',
  );
}
