import { createHash, randomInt } from 'node:crypto';
import type { Tx } from '../../db/sql.js';

const COUNT = 10;
const GROUPS = 4;
const LETTERS = 5;
/** 31 letters that are not taken for one another: 20 of them are 99 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

function newCode(): string {
  const group = () =>
    Array.from(
      { length: LETTERS },
      () => ALPHABET[randomInt(ALPHABET.length)],
    ).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Spaces, hyphens and capitals make no difference. */
export function recoveryHash(operatorId: string, code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`${operatorId} ${plain}`).digest();
}

/** Ten new codes, in place of the old ones; they are shown this once. */
export async function renewRecoveryCodes(
  tx: Tx,
  operatorId: string,
  now: number,
): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await tx.query('DELETE FROM operator_recovery WHERE operator_id = $1', [
    operatorId,
  ]);
  await tx.query(
    `INSERT INTO operator_recovery (code_hash, operator_id, created_at)
     SELECT hash, $2, $3 FROM unnest($1::bytea[]) AS hash`,
    [codes.map((code) => recoveryHash(operatorId, code)), operatorId, now],
  );
  return codes;
}

/** Uses a code up; false for a wrong or used one. */
export async function useRecoveryCode(
  tx: Tx,
  operatorId: string,
  code: string,
  now: number,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE operator_recovery SET used_at = $3
     WHERE code_hash = $1 AND operator_id = $2 AND used_at IS NULL
     RETURNING 1`,
    [recoveryHash(operatorId, code), operatorId, now],
  );
  return rows.length === 1;
}
