import { OPEN_REPORTS } from '../../db/states.js';
import { moderationState } from '../../moderation/index.js';
import { pollViewOf } from '../../polls/index.js';
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
    const data = rows.slice(0, input.limit).map((row) => {
      const { held, removed_by, erased_by, visibility, ...rest } = row;
      const state = moderationState({ removed_by, erased_by, visibility });
      return { ...rest, state, claim: claimView(held, operator) };
    });
    const last = data.at(-1);
    const next =
      rows.length > input.limit && last !== undefined
        ? { at: last.first_at, subject: last.subject }
        : null;
    const none = { topic: 0, message: 0, card: 0, poll: 0 };
    const counts = totals?.map(({ kind, total }) => [kind, total]);
    return {
      data,
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
    const data = rows.slice(0, input.limit).map((row) => {
      const { removed_by, erased_by, visibility, ...rest } = row;
      const state = moderationState({ removed_by, erased_by, visibility });
      return { ...rest, state };
    });
    const more = rows.length > input.limit;
    return { data, next: more ? (data.at(-1)?.id ?? null) : null };
  },
});

export const listPolls = command('poll.list', {
  right: 'viewer',
  summary: 'Polls, newest first; by default proposals that await a decision.',
  handle: async (context, _operator, input) => {
    const { limit } = input;
    const rows = await pollPage(context.reads, input, context.clock.now());
    const data = rows.slice(0, limit).map(({ last_decision_id, ...row }) => ({
      poll: pollViewOf(context, row),
      last_decision_id,
    }));
    const more = rows.length > limit;
    return { data, next: more ? (rows[limit - 1]?.id ?? null) : null };
  },
});
