import { IsNull, MoreThan, MoreThanOrEqual } from 'typeorm';
import { z } from 'zod';
import { namesOf, REVERSE } from '../../../protocol/moderation.js';
import { DAY_MS } from '../../clock.js';
import { Bulk, BulkItem } from '../../db/entities/bulk.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BULK_ITEM_STATES } from '../../db/states.js';
import { BoardError, invalid } from '../../errors.js';
import { recordAudit } from '../audit.js';
import { type CommandError, command, type Operator } from '../command.js';
import { id, limit, nextOf, subject, time, uuid } from '../fields.js';
import { pageOf } from '../page.js';
import { reaches } from '../roles.js';
import {
  addDecided,
  addItems,
  bulkPage,
  type CountedBulk,
  countedBulk,
} from './bulk.sql.js';
import { faultless, mayDecide, misfit, misnamed, ruling } from './decide.js';
import { SELECTED_MAX } from './select.sql.js';

/** Per operator, to bound rows. */
const BULKS_A_DAY = 200;

export const bulk = uuid.describe(
  'You choose it: a second submit is the same bulk.',
);
/** Under 64 KiB with the fields of a decision. */
const items = z
  .array(
    z.strictObject({
      subject,
      seen: id.nullable().describe('The newest decision you saw.'),
    }),
  )
  .max(500);
const listInput = z.strictObject({
  mine: z.literal(true).optional(),
  open: z.literal(true).optional().describe('Only those where some wait.'),
  after: nextOf({ at: time, bulk: uuid }),
  limit,
});
export type BulksInput = z.output<typeof listInput>;

type NewBulk = Omit<Bulk, 'operatorId' | 'operator' | 'cancelledAt'>;

/**
 * Idempotent (spec/operators.md §5.1).
 * @throws BoardError `forbidden` for an erasure by any but an admin,
 *   `request_id_conflict` for another decision under the same ID,
 *   `rate_limited`, `invalid_input` for too many subjects
 */
export const beginBulk = command({
  name: 'bulk.begin',
  right: 'moderator',
  summary: 'Begin one decision for many subjects; `bulk.run` records it.',
  input: ruling
    .extend({
      bulk,
      settle_reports: z
        .boolean()
        .default(true)
        .describe('Closes reports that were open when the bulk began.'),
      items: items.optional().describe('The first subjects.'),
    })
    .superRefine(faultless(misfit)),
  handle: async ({ ctx: { writes }, operator, input, audit }) => {
    mayDecide(operator, input);
    const { bulk: id, items = [], reason = 'other', ...rest } = input;
    const { action, explanation, private_note: privateNote = null } = rest;
    const answer = rest.answer || null;
    const { settle_reports: settleReports, outcome = null } = rest;
    await audit(async (tx, createdAt) => {
      const row = { id, action, reason, outcome, explanation, privateNote };
      const bulk = { ...row, answer, settleReports, undoes: null, createdAt };
      const isNew = await began(tx, operator, bulk);
      await add(tx, operator, id, items);
      const after = { ...input, items: items.length };
      return {
        answer: null,
        ...(isNew ? { subject: `bulk:${id}`, after } : {}),
      };
    });
    return bulkSeen(await ownBulk(writes, operator, id), operator);
  },
});

export const addToBulk = command({
  name: 'bulk.add',
  right: 'moderator',
  summary: 'Add subjects to a bulk; one that is in it stays once.',
  input: z.strictObject({ bulk, items: items.min(1) }),
  handle: async ({ ctx: { writes }, operator, input: { bulk: id, items } }) => {
    await writes.transaction((tx) => add(tx, operator, id, items));
    return bulkSeen(await ownBulk(writes, operator, id), operator);
  },
});

/**
 * Under the head lock: nothing is decided after the answer.
 * @throws BoardError `not_found`; `forbidden` for another operator's, except to
 *   admins
 */
export const cancelBulk = command({
  name: 'bulk.cancel',
  right: 'moderator',
  summary: 'End a bulk; what waits in it is never decided.',
  input: z.strictObject({ bulk }),
  handle: async ({ ctx, operator, input: { bulk: id } }) => {
    const { writes, ledger } = ctx;
    const bulk = await someBulk(writes, id);
    if (!reaches(operator.role, 'admin')) owned(bulk, operator);
    await ledger.append(async ({ tx, at }) => {
      const open = { id, cancelledAt: IsNull() };
      const cancelled = { cancelledAt: at };
      const { affected } = await tx.manager.update(Bulk, open, cancelled);
      if (affected !== 0) {
        const entry = { action: 'bulk.cancel', subject: `bulk:${id}` };
        await recordAudit(tx, operator, entry, at);
      }
      return () => null;
    });
    return bulkSeen(await someBulk(writes, id), operator);
  },
});

/** @throws BoardError `not_found`, `invalid_input` where there is no reverse */
export const undoBulk = command({
  name: 'bulk.undo',
  right: 'moderator',
  summary: 'Begin a bulk that undoes the decisions of another one.',
  input: ruling
    .omit({ action: true, outcome: true, answer: true })
    .extend({ bulk, undoes: uuid.describe('The bulk to undo.') }),
  handle: async ({ ctx: { writes }, operator, input, audit }) => {
    const { bulk: id, undoes, reason = 'other', explanation } = input;
    const former = await someBulk(writes, undoes);
    const action = REVERSE[former.action];
    if (action === undefined) {
      throw invalid(
        'undoes',
        `A bulk of “${namesOf(former.action)[0]}” cannot be undone.`,
      );
    }
    const fault = misnamed({ action, reason });
    if (fault !== null) throw invalid(...fault);
    await audit(async (tx, createdAt) => {
      const { private_note: privateNote = null } = input;
      const row = { id, action, reason, outcome: null, explanation };
      const rest = { privateNote, settleReports: false, undoes, createdAt };
      const isNew = await began(tx, operator, {
        ...row,
        ...rest,
        answer: null,
      });
      await addDecided(tx, id, undoes);
      const entry = { subject: `bulk:${id}`, after: { ...input, action } };
      return { answer: null, ...(isNew ? entry : {}) };
    });
    return bulkSeen(await ownBulk(writes, operator, id), operator);
  },
});

export const readBulk = command({
  name: 'bulk.read',
  reads: true,
  right: 'viewer',
  summary: 'A bulk: how far it is, and what became of each subject.',
  input: z.strictObject({
    bulk,
    state: z.enum(BULK_ITEM_STATES).optional(),
    after: id.optional().describe('`next` of the page before.'),
    limit: z.int().min(1).max(1000).default(100),
  }),
  handle: async ({ ctx: { writes }, operator, input }) => {
    const { bulk: bulkId, state, after = 0, limit } = input;
    const bulk = await someBulk(writes, bulkId);
    const rows = await writes.manager.find(BulkItem, {
      where: { bulkId, n: MoreThan(after), ...(state ? { state } : {}) },
      order: { n: 'ASC' },
      take: limit + 1,
    });
    const { data, next } = pageOf(rows.map(itemSeen), limit, ({ n }) => n);
    return { ...bulkSeen(bulk, operator), data, next };
  },
});

export const listBulks = command({
  name: 'bulk.list',
  reads: true,
  right: 'viewer',
  summary: 'Bulks of the last 30 days, newest first.',
  input: listInput,
  handle: async ({ ctx: { writes }, operator, input }) => {
    const rows = await bulkPage(writes, operator.operatorId, input);
    const { data, next } = pageOf(rows, input.limit, (last) => ({
      at: last.createdAt,
      bulk: last.bulk,
    }));
    return { data: data.map((row) => bulkSeen(row, operator)), next };
  },
});

/**
 * False: a repeated call.
 * @throws BoardError `request_id_conflict`, `rate_limited`
 */
async function began(
  { manager }: Tx,
  { operatorId, alias }: Operator,
  bulk: NewBulk,
): Promise<boolean> {
  const { createdAt, ...said } = bulk;
  const row = { ...bulk, operatorId, operator: alias, cancelledAt: null };
  const known = await manager.findOneBy(Bulk, { id: bulk.id });
  if (known !== null) {
    const names = Object.keys(said) as (keyof typeof said)[];
    const same = names.every((name) => known[name] === said[name]);
    if (same && known.operatorId === operatorId) return false;
    const detail = 'Another bulk has this ID; choose a new one.';
    throw new BoardError('request_id_conflict', detail);
  }
  const today = MoreThanOrEqual(createdAt - DAY_MS);
  const by = { operatorId: operatorId ?? IsNull(), createdAt: today };
  if ((await manager.countBy(Bulk, by)) >= BULKS_A_DAY) {
    const detail = `An operator may begin ${BULKS_A_DAY} bulks a day.`;
    throw new BoardError('rate_limited', detail, { retry_after_seconds: 3600 });
  }
  await manager.insert(Bulk, row);
  return true;
}

async function add(
  tx: Tx,
  operator: Operator,
  id: string,
  items: readonly { subject: string; seen: number | null }[],
): Promise<void> {
  // Simultaneous additions number one after the other.
  const lock = { mode: 'pessimistic_write' } as const;
  await tx.manager.findOne(Bulk, { where: { id }, lock });
  const { cancelledAt } = await ownBulk(tx, operator, id);
  if (cancelledAt !== null) {
    throw new BoardError('decision_conflict', 'This bulk was cancelled.');
  }
  await addItems(tx, id, items);
  const { total } = await ownBulk(tx, operator, id);
  if (total <= SELECTED_MAX) return;
  throw invalid('items', `A bulk has at most ${SELECTED_MAX} subjects.`);
}

/** @throws BoardError `not_found` */
async function someBulk(sql: Sql, id: string): Promise<CountedBulk> {
  const bulk = await countedBulk(sql, id);
  if (bulk !== undefined) return bulk;
  throw new BoardError('not_found', 'There is no bulk of this ID.');
}

/** @throws BoardError `not_found`, `forbidden` */
export async function ownBulk(
  sql: Sql,
  operator: Operator,
  id: string,
): Promise<CountedBulk> {
  return owned(await someBulk(sql, id), operator);
}

function owned(bulk: CountedBulk, { operatorId }: Operator): CountedBulk {
  if (bulk.operatorId === operatorId) return bulk;
  const detail = `This bulk is ${bulk.operator}'s; begin one of your own.`;
  throw new BoardError('forbidden', detail);
}

export type BulkSeen = ReturnType<typeof bulkSeen>;
export function bulkSeen(it: CountedBulk, { operatorId }: Operator) {
  const { operatorId: owner, privateNote, settleReports, ...row } = it;
  const { createdAt, cancelledAt, ...rest } = row;
  const isDone = it.total > 0 && it.waiting === 0;
  const open = isDone ? ('done' as const) : ('open' as const);
  return {
    ...rest,
    private_note: privateNote,
    settle_reports: settleReports,
    mine: owner === operatorId,
    created_at: createdAt,
    state: cancelledAt === null ? open : ('cancelled' as const),
    can_undo: it.done > 0 && REVERSE[it.action] !== undefined,
  };
}

export type BulkItemSeen = ReturnType<typeof itemSeen>;
export function itemSeen(it: BulkItem) {
  const { n, subject, messageId, seen, state, decisionId, error } = it;
  return {
    n,
    subject,
    message_id: messageId,
    seen,
    state,
    decision_id: decisionId,
    // A conflict has the decision of the other operator.
    error: error as CommandError | null,
  };
}
