import { In } from 'typeorm';
import { z } from 'zod';
import { BulkItem } from '../../db/entities/bulk.js';
import { BoardError } from '../../errors.js';
import { type AppendContext, refuse } from '../../ledger/append.js';
import { type AuditEntry, recordAudit } from '../audit.js';
import { type CommandContext, command, type Operator } from '../command.js';
import { ROLES, reaches } from '../roles.js';
import { bulk, bulkSeen, itemSeen, ownBulk } from './bulk.js';
import {
  type CountedBulk,
  itemsDone,
  type WaitingItem,
  waitingItems,
} from './bulk.sql.js';
import {
  type DecideInput,
  decideIn,
  leastToDecide,
  mayDecide,
} from './decide.js';
import { noSuchSubject } from './subject.js';

/** Per commit: others wait for the head lock. */
const TOGETHER = 16;

/**
 * Each subject is a job with its own decision, entry and audit row; its outcome
 * commits with it, so the rest waits after a crash (spec/operators.md §5.1).
 * @throws BoardError `not_found`, `forbidden`; `unavailable` where nothing
 *   could be decided now
 */
export const runBulk = command({
  name: 'bulk.run',
  right: 'moderator',
  summary: 'Decide the next subjects of a bulk, and say how far it is.',
  input: z.strictObject({
    bulk,
    most: z.int().min(1).max(100).default(50).describe('Subjects to decide.'),
  }),
  handle: async ({ ctx, operator, input: { bulk: id, most } }) => {
    const { writes } = ctx;
    const its = await ownBulk(writes, operator, id);
    mayDecide(operator, its);
    const waiting =
      its.cancelledAt === null
        ? await writes.manager.find(BulkItem, {
            select: { bulkId: true, n: true },
            where: { bulkId: id, state: 'waiting' },
            order: { n: 'ASC' },
            take: most,
          })
        : [];
    const settled: number[] = [];
    for (let from = 0; from < waiting.length; from += TOGETHER) {
      const some = waiting.slice(from, from + TOGETHER);
      const settleSome = (ns: number[]) =>
        ctx.ledger.append((append) => settle(append, ctx, operator, its, ns));
      const ns = some.map(({ n }) => n);
      const all = await Promise.allSettled([settleSome(ns)]);
      // Where one of them fails, the others are decided nevertheless.
      const ended =
        all[0].status === 'fulfilled'
          ? all
          : await Promise.allSettled(ns.map((n) => settleSome([n])));
      for (const one of ended) {
        if (one.status === 'fulfilled') settled.push(...one.value);
      }
      const failed = ended.find((one) => one.status === 'rejected');
      if (failed === undefined) continue;
      if (settled.length === 0) throw failed.reason;
      break;
    }
    const items = await writes.manager.find(BulkItem, {
      where: { bulkId: id, n: In(settled) },
      order: { n: 'ASC' },
    });
    return {
      ...bulkSeen(await ownBulk(writes, operator, id), operator),
      settled: items.filter(({ state }) => state !== 'waiting').map(itemSeen),
    };
  },
});

/** Or notes why it is refused. */
async function settle(
  append: AppendContext,
  ctx: CommandContext,
  operator: Operator,
  its: CountedBulk,
  ns: readonly number[],
): Promise<() => readonly number[]> {
  const { tx, at } = append;
  const { bulk } = its;
  const least = leastToDecide(its);
  const roles = ROLES.filter((role) => reaches(role, least));
  const audits: AuditEntry[] = [];
  const done = new Map<number, () => unknown>();
  // Not those that another tab took; none if the bulk was cancelled or the
  // right was lost.
  for (const item of await waitingItems(tx, bulk, ns, operator, roles)) {
    const { n } = item;
    const size = append.leaves.length;
    const input = inputOf(its, item);
    const decided =
      input instanceof BoardError
        ? refuse(input)
        : await decideIn(append, ctx, operator, input, { bulk }, audits);
    if (append.leaves.length > size) done.set(n, decided);
    else {
      const error = refusalOf(decided).body();
      const refused = { state: 'refused', error } as const;
      await tx.manager.update(BulkItem, { bulkId: bulk, n }, refused);
    }
  }
  await itemsDone(tx, bulk, [...done.keys()]);
  await recordAudit(tx, operator, audits, at);
  return () => {
    for (const decided of done.values()) decided();
    return ns;
  };
}

function inputOf(
  { action, reason, outcome, explanation, privateNote, answer }: CountedBulk,
  { subject, message_id, seen, supersedes, report_ids }: WaitingItem,
): DecideInput | BoardError {
  if (message_id === null) return noSuchSubject(subject);
  const isPoll = action === 'poll_decision';
  const [kind, name] = subject.split(':');
  if (isPoll && kind !== 'poll') {
    return new BoardError('invalid_input', 'Only a poll has an outcome.', {
      field: 'action',
    });
  }
  return {
    action,
    id: isPoll ? Number(name) : message_id,
    reason,
    explanation,
    seen,
    report_ids,
    ...(outcome === null ? {} : { outcome }),
    ...(privateNote === null ? {} : { private_note: privateNote }),
    ...(answer === null ? {} : { answer }),
    ...(supersedes === null ? {} : { supersedes }),
  };
}

/** A job that appended nothing answers with its refusal. */
function refusalOf(decided: () => unknown): BoardError {
  try {
    decided();
  } catch (error) {
    if (error instanceof BoardError) return error;
    throw error;
  }
  throw new Error('a decision without a log entry');
}
