import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { checkNewPassphrase } from './passphrase-rules.js';
import type { PassphraseHash, ScryptQueue } from './scrypt-queue.js';
import { seal, unseal } from './seal.js';
import { offeredTotp, totpStep } from './totp.js';

/** A passphrase and its TOTP, ready to be stored with an account. */
export type NewPassphrase = PassphraseHash & { secret: Buffer; step: number };

/** What a page sends to enrol one. */
export type ProposedPassphrase = {
  passphrase: string;
  /** The token of the TOTP offer, and a code of its secret. */
  totp_token: string;
  totp: string;
};

/**
 * Checks a proposed passphrase and that its TOTP works; hashes it.
 * @throws BoardError `invalid_input` with the field
 */
export async function preparePassphrase(
  ctx: Context,
  scrypt: ScryptQueue,
  about: string,
  proposed: ProposedPassphrase,
  names: readonly string[],
): Promise<NewPassphrase> {
  checkNewPassphrase(proposed.passphrase, names);
  const secret = offeredTotp(ctx, about, proposed.totp_token);
  if (secret === null) {
    throw new BoardError(
      'invalid_input',
      '`totp_token` is older than 10 minutes or not of this page; ask for another.',
      { field: 'totp_token' },
    );
  }
  const step = totpStep(secret, proposed.totp, ctx.clock.now());
  if (step === null) {
    throw new BoardError(
      'invalid_input',
      '`totp` is not the code that the app shows now; check the clock of the device.',
      { field: 'totp' },
    );
  }
  const salt = randomBytes(16);
  const hash = await scrypt.hash(proposed.passphrase, salt, about);
  return { salt, hash, secret, step };
}

/** Stores it, in place of an older one. */
export async function savePassphrase(
  tx: Tx,
  ctx: Context,
  operatorId: string,
  { salt, hash, secret, step }: NewPassphrase,
): Promise<void> {
  const sealed = seal(ctx, `totp of ${operatorId}`, secret);
  await tx.query(
    `INSERT INTO operator_passphrase AS p
       (operator_id, salt, hash, totp, totp_step, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (operator_id) DO UPDATE SET salt = excluded.salt,
       hash = excluded.hash, totp = excluded.totp,
       totp_step = excluded.totp_step, created_at = excluded.created_at`,
    [operatorId, salt, hash, sealed, step, ctx.clock.now()],
  );
}

type Row = PassphraseHash & { operator_id: string; totp: Buffer };

/** Stands in for an account that is not there, so that it takes as long. */
const NOBODY: PassphraseHash = {
  salt: Buffer.alloc(16),
  hash: Buffer.alloc(32),
};

/** A passphrase and code that were right; `step` is to be taken yet. */
export type Proof = { operatorId: string; step: number };

/**
 * Checks passphrase and TOTP of an account by its name. The work and the
 * answer are the same without such an account, or one without a passphrase.
 */
export async function provePassphrase(
  ctx: Context,
  scrypt: ScryptQueue,
  given: { name: string; passphrase: string; totp: string; network: string },
): Promise<Proof | null> {
  const row = await passphraseOf(ctx.writes, given.name);
  const right = await scrypt.matches(
    given.passphrase,
    row ?? NOBODY,
    given.network,
  );
  const about = `totp of ${row?.operator_id ?? ''}`;
  const secret = unseal(ctx, about, row?.totp ?? Buffer.alloc(48));
  const step = totpStep(secret ?? NOBODY.hash, given.totp, ctx.clock.now());
  if (row === null || !right || secret === null || step === null) return null;
  return { operatorId: row.operator_id, step };
}

async function passphraseOf(sql: Sql, name: string): Promise<Row | null> {
  const [row] = await sql.query<Row>(
    `SELECT p.operator_id, p.salt, p.hash, p.totp
     FROM operator o JOIN operator_passphrase p ON p.operator_id = o.id
     WHERE o.name = $1 AND o.state = 'active'`,
    [name],
  );
  return row ?? null;
}

/** Takes a TOTP step; false where it, or a later one, was taken before. */
export async function takeStep(
  tx: Tx,
  { operatorId, step }: Proof,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE operator_passphrase SET totp_step = $2
     WHERE operator_id = $1 AND totp_step < $2 RETURNING 1`,
    [operatorId, step],
  );
  return rows.length === 1;
}
