import { OPEN_REPORTS } from '../../db/states.js';
import { moderationState, type StateRow } from '../../moderation/index.js';
import { pollViewOf } from '../../polls/index.js';
import { pageOf } from '../page-of.js';
import type { CommandAsked } from '../schemas/commands.js';
import { claimView } from './claims.js';
import { command } from './command.js';
import { hiddenPage, pollPage, queuePage, queueTotals } from './queue.sql.js';
import { readsPrivateTexts } from './reports.js';

const STATUSES: Readonly<
  Record<CommandAsked<'queue.list'>['status'], readonly string[]>
> = {
  open: OPEN_REPORTS,
  received: ['received'],
  in_review: ['in_review'],
  settled: ['resolved', 'dismissed'],
};

/** A row with its state in the place of the columns that tell it. */
function withState<Row extends StateRow>(row: Row) {
  const { removed_by, erased_by, visibility, ...rest } = row;
  return { ...rest, state: moderationState(row) };
}

/** In pages by the time and name of the last row (spec/operators.md §2.4). */
export const listQueue = command('queue.list', {
  right: 'viewer',
  summary: 'What waits, one row per subject, the longest first.',
  handle: async ({ reads, clock }, operator, input) => {
    const now = clock.now();
    const { operatorId } = operator;
    const statuses = STATUSES[input.status];
    const [rows, totals] = await Promise.all([
      queuePage(reads, operatorId, statuses, input, now),
      input.after === undefined ? queueTotals(reads, now) : null,
    ]);
    const { data, next } = pageOf(rows, input.limit, (last) => ({
      ...{ at: last.first_at, subject: last.subject },
    }));
    const none = { topic: 0, message: 0, card: 0, poll: 0 };
    const counts = totals?.map(({ kind, total }) => [kind, total]);
    return {
      data: data.map(({ held, ...row }) => ({
        ...{ ...withState(row), claim: claimView(held, operator) },
      })),
      next,
      totals: counts ? { ...none, ...Object.fromEntries(counts) } : null,
    };
  },
});

export const listHidden = command('hidden.list', {
  right: 'viewer',
  summary: 'Hidden topics, newest first, with their votes and appeals.',
  handle: async ({ reads }, operator, input) => {
    const texts = readsPrivateTexts(operator);
    const rows = await hiddenPage(reads, texts, input);
    const { data, next } = pageOf(rows, input.limit, ({ id }) => id);
    return { data: data.map(withState), next };
  },
});

export const listPolls = command('poll.list', {
  right: 'viewer',
  summary: 'Polls, newest first; by default proposals that await a decision.',
  handle: async (context, _operator, input) => {
    const rows = await pollPage(context.reads, input, context.clock.now());
    const { data, next } = pageOf(rows, input.limit, ({ id }) => id);
    const polls = data.map(({ last_decision_id, ...row }) => ({
      poll: pollViewOf(context, row),
      last_decision_id,
    }));
    return { data: polls, next };
  },
});
