import type {
  BulkPage,
  BulkProgress,
} from '../../server/dashboard/schemas/scale-views.js';
import type { TestBoard } from '../support/board.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { done, type SignedInOperator } from './actions-operator.js';

export const SPAM = {
  action: 'remove',
  reason: 'spam',
  explanation: 'The same text many times.',
} as const;

/** Replies of one text to message 1, by their IDs. */
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

/** Messages as a bulk takes them, none of which was decided about. */
export const itemsOf = (ids: readonly number[]) =>
  ids.map((id) => ({ subject: `message:${id}`, seen: null }));

/** Begins a removal, with no more than what differs. */
export const begin = (by: SignedInOperator, more: object = {}) =>
  by.ask('bulk.begin', { bulk: randomUUID(), ...SPAM, ...more });

export const run = (by: SignedInOperator, bulk: string, most = 50) =>
  done<BulkProgress>(by.ask('bulk.run', { bulk, most }));

export const readAll = (by: SignedInOperator, bulk: string) =>
  done<BulkPage>(by.ask('bulk.read', { bulk, limit: 1000 }));

/** What the trail says of a bulk and of its decisions. */
export async function auditRows(
  test: TestBoard,
  bulk: string,
): Promise<{ action: string; subject: string }[]> {
  return await test.board.context.writes.query(
    'SELECT action, subject FROM operator_audit WHERE after LIKE $1',
    [`%${bulk}%`],
  );
}
