import { createHash, randomInt } from 'node:crypto';
import { IsNull } from 'typeorm';
import { publicTime } from '../../clock.js';
import {
  Operator,
  OperatorPasskey,
  OperatorPassphrase,
  OperatorRecovery,
} from '../../db/entities/operator.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { command, type RequestCall } from '../command.js';
import { endSessions, forgetDevices } from '../session-store.js';

/** Oldest first, without keys. */
export async function passkeysOf(
  { manager }: Sql,
  operatorId: string,
): Promise<OperatorPasskey[]> {
  return await manager.find(OperatorPasskey, {
    select: { credentialId: true, label: true, createdAt: true, usedAt: true },
    where: { operatorId },
    order: { createdAt: 'ASC', credentialId: 'ASC' },
  });
}

export const listCredentials = command({
  name: 'credential.list',
  http: 'GET /credentials',
  right: 'viewer',
  handle: async ({ ctx: { writes }, operator: { operatorId } }) => {
    const { manager } = writes;
    const passkeys = await passkeysOf(writes, operatorId);
    const passphrase = await manager.findOne(OperatorPassphrase, {
      select: { operatorId: true, createdAt: true },
      where: { operatorId },
    });
    const unused = { operatorId, usedAt: IsNull() };
    return {
      passkeys: passkeys.map(({ credentialId, label, createdAt, usedAt }) => ({
        id: credentialId.toString('base64url'),
        label,
        created_at: publicTime(createdAt),
        used_at: usedAt === null ? null : publicTime(usedAt),
      })),
      passphrase: passphrase && {
        created_at: publicTime(passphrase.createdAt),
      },
      recovery_codes_left: await manager.countBy(OperatorRecovery, unused),
    };
  },
});

/** Known devices are forgotten (spec/board.md §16.5). */
export function changeCredentials<T>(
  { audit, operator }: Pick<RequestCall, 'audit' | 'operator'>,
  work: (
    tx: Tx,
    now: number,
  ) => Promise<{ answer: T; before?: object; after?: object }>,
): Promise<T> {
  return audit(async (tx, now) => {
    await tx.manager.findOne(Operator, {
      select: { id: true },
      where: { id: operator.operatorId },
      lock: { mode: 'pessimistic_write' },
    });
    const done = await work(tx, now);
    await forgetDevices(tx, operator.operatorId);
    return { ...done, subject: `operator:${operator.name}` };
  });
}

/** Ends the operator's other sessions. 404; 403 for the last credential. */
export const removePasskey = command({
  name: 'credential.remove_passkey',
  http: 'POST /credentials/passkey/:id/remove',
  right: 'viewer',
  fresh: true,
  handle: (call) =>
    changeCredentials(call, async (tx, now) => {
      const { operatorId, sessionId } = call.operator;
      const id = String(call.req.params.id);
      const mine = { credentialId: Buffer.from(id, 'base64url'), operatorId };
      const { manager } = tx;
      const gone = await manager.findOneBy(OperatorPasskey, mine);
      if (gone === null) {
        throw new BoardError('not_found', 'You have no such passkey.');
      }
      await manager.delete(OperatorPasskey, mine);
      const isLast =
        !(await manager.existsBy(OperatorPasskey, { operatorId })) &&
        !(await manager.existsBy(OperatorPassphrase, { operatorId }));
      if (isLast) {
        throw new BoardError(
          'forbidden',
          'It is the only sign-in method you have; add another one first.',
        );
      }
      await endSessions(tx, operatorId, now, { but: sessionId });
      return { answer: { removed: true }, before: { passkey: gone.label } };
    }),
});

export const newRecoveryCodes = command({
  name: 'credential.recovery',
  http: 'POST /credentials/recovery',
  right: 'viewer',
  fresh: true,
  handle: (call) =>
    changeCredentials(call, async (tx, now) => {
      const { operatorId } = call.operator;
      const recovery_codes = await renewRecoveryCodes(tx, operatorId, now);
      return { answer: { recovery_codes } };
    }),
});

const COUNT = 10;
const GROUPS = 4;
const LETTERS = 5;
/** 31 distinguishable letters: 20 of them are 99 bits. */
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
function recoveryHash(operatorId: string, code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`${operatorId} ${plain}`).digest();
}

/** Ten, shown once; older ones end. */
export async function renewRecoveryCodes(
  { manager }: Tx,
  operatorId: string,
  now: number,
): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  const rows = codes.map((code) => ({
    codeHash: recoveryHash(operatorId, code),
    operatorId,
    createdAt: now,
  }));
  await manager.delete(OperatorRecovery, { operatorId });
  await manager.insert(OperatorRecovery, rows);
  return codes;
}

/** False for a wrong or used one. */
export async function useRecoveryCode(
  { manager }: Tx,
  operatorId: string,
  code: string,
  now: number,
): Promise<boolean> {
  const codeHash = recoveryHash(operatorId, code);
  const unused = { codeHash, operatorId, usedAt: IsNull() };
  const used = await manager.update(OperatorRecovery, unused, { usedAt: now });
  return used.affected === 1;
}
