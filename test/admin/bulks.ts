import { Like } from 'typeorm';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { BulkSeen } from '../../server/dashboard/commands/bulk.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import type { TestBoard } from '../support/board.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import { done, type SignedInOperator, STAYS } from './operators.js';

export const SPAM = {
  action: 'remove',
  reason: 'spam',
  explanation: 'The same text many times.',
} as const;

export async function copies(
  test: TestBoard,
  count: number,
): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { message } = await publish(test, { reply_to: 1, body: 'Buy!' });
    ids.push(message.id);
  }
  return ids;
}

export const itemsOf = (ids: readonly number[]) =>
  ids.map((id) => ({ subject: `message:${id}`, seen: null }));

export const begin = (by: SignedInOperator, more: object = {}) =>
  by.ask('bulk.begin', { bulk: randomUUID(), ...SPAM, ...more });

export async function begun(
  by: SignedInOperator,
  ids: readonly number[],
  more: object = {},
): Promise<string> {
  const asked = begin(by, { items: itemsOf(ids), ...more });
  return (await done<BulkSeen>(asked)).bulk;
}

export async function undone(
  by: SignedInOperator,
  undoes: string,
): Promise<BulkSeen> {
  const undo = { bulk: randomUUID(), undoes, ...STAYS };
  return await done<BulkSeen>(by.ask('bulk.undo', undo));
}

export const run = (by: SignedInOperator, bulk: string, most = 50) =>
  done<CommandAnswers['bulk.run']>(by.ask('bulk.run', { bulk, most }));

export const readAll = (by: SignedInOperator, bulk: string) =>
  done<CommandAnswers['bulk.read']>(by.ask('bulk.read', { bulk, limit: 1000 }));

export async function audited(
  test: TestBoard,
  bulk: string,
  action: string,
): Promise<string[]> {
  const where = { action, after: Like(`%${bulk}%`) };
  const found = await rows(test).findBy(OperatorAudit, where);
  return found.map(({ subject }) => subject);
}
