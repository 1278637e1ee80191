import { z } from 'zod';
import { REPORT_REASONS } from '../../../protocol/moderation.js';
import type { Room } from '../../../protocol/room.js';
import { OPEN_REPORTS } from '../../db/states.js';
import {
  type ModerationState,
  moderationState,
  type StateRow,
} from '../../moderation/index.js';
import { pollViewOf } from '../../polls/index.js';
import { command } from '../command.js';
import { before, limit, nextOf, room, subject, time } from '../fields.js';
import { pageOf } from '../page.js';
import { type Claim, claimView } from './claims.js';
import type { VoteSeen } from './item.js';
import { hiddenPage, pollPage, queuePage, queueTotals } from './queue.sql.js';
import { type ReportSeen, readsPrivateTexts } from './reports.js';

const KINDS = ['topic', 'message', 'card', 'poll', 'mirrored'] as const;
type Kind = (typeof KINDS)[number];

type Judged = {
  room: Room;
  state: ModerationState;
  score: number;
  author: string | null;
  title: string | null;
  excerpt: string | null;
};

export type QueueRow = Judged & {
  subject: string;
  kind: Kind;
  /** Of a mirrored one on its own board. */
  message_id: number;
  reports: number;
  appeals: number;
  /** Reports for a reason for which it had been kept. */
  repeated: number;
  reasons: string[];
  /** Of most of its reports; null for a poll. */
  main_reason: string | null;
  /** Equal for copies of one text; null without a text. */
  text_key: string | null;
  /** By the newest decision about it. */
  kept: { operator: string; at: number } | null;
  first_at: number;
  last_at: number;
  claim: Claim | null;
  /** For `seen` of the next decision. */
  last_decision_id: number | null;
};

export type HiddenTopic = Judged & {
  id: number;
  replies: number;
  created_at: number;
  votes: VoteSeen[];
  appeals: ReportSeen[];
  last_decision_id: number | null;
};

/** Filters as in the dashboard's address. */
const queueInput = z.strictObject({
  status: z.enum(['open', 'received', 'in_review', 'settled']).default('open'),
  kind: z.enum(KINDS).optional(),
  reason: z.enum(REPORT_REASONS).optional(),
  room,
  claimed: z.enum(['me', 'others', 'nobody']).optional(),
  appeals: z.literal(true).optional().describe('Only those with an appeal.'),
  order: z
    .enum(['longest_wait', 'most_reports'])
    .default('longest_wait')
    .describe('Of equally many reports, the longest wait comes first.'),
  after: nextOf({ reports: z.int().min(0).default(0), at: time, subject }),
  limit,
});
export type QueueInput = z.output<typeof queueInput>;
const hiddenInput = z.strictObject({ room, before, limit });
export type HiddenInput = z.output<typeof hiddenInput>;
const pollsInput = z.strictObject({
  state: z.enum(['awaiting', 'open', 'decided', 'all']).default('awaiting'),
  before,
  limit,
});
export type PollsInput = z.output<typeof pollsInput>;

const STATUSES: Readonly<Record<QueueInput['status'], readonly string[]>> = {
  open: OPEN_REPORTS,
  received: ['received'],
  in_review: ['in_review'],
  settled: ['resolved', 'dismissed'],
};

function withState<Row extends StateRow>(row: Row) {
  const { removed_by, erased_by, visibility, ...rest } = row;
  return { ...rest, state: moderationState(row) };
}

/** By time and name of the last row (spec/operators.md §2.4). */
export const listQueue = command({
  name: 'queue.list',
  reads: true,
  right: 'viewer',
  summary: 'What waits, one row per subject, in either order.',
  input: queueInput,
  handle: async ({ ctx: { reads, clock }, operator, input }) => {
    const now = clock.now();
    const { operatorId } = operator;
    const statuses = STATUSES[input.status];
    const [rows, totals] = await Promise.all([
      queuePage(reads, operatorId, statuses, input, now),
      input.after === undefined ? queueTotals(reads, now) : null,
    ]);
    const { data, next } = pageOf(rows, input.limit, (last) => ({
      reports: last.reports,
      at: last.first_at,
      subject: last.subject,
    }));
    const none = { topic: 0, message: 0, card: 0, poll: 0 };
    const counts = totals?.map(({ kind, total }) => [kind, total]);
    return {
      data: data.map(({ held, ...row }) => ({
        ...withState(row),
        claim: claimView(held, operator, now),
      })),
      next,
      /** By kind, unfiltered; only on a first page. */
      totals: counts ? { ...none, ...Object.fromEntries(counts) } : null,
    };
  },
});
export type QueuePage = Awaited<ReturnType<(typeof listQueue)['handle']>>;

export const listHidden = command({
  name: 'hidden.list',
  reads: true,
  right: 'viewer',
  summary: 'Hidden topics, newest first, with their votes and appeals.',
  input: hiddenInput,
  handle: async ({ ctx: { reads }, operator, input }) => {
    const texts = readsPrivateTexts(operator);
    const rows = await hiddenPage(reads, texts, input);
    const { data, next } = pageOf(rows, input.limit, ({ id }) => id);
    return { data: data.map(withState), next };
  },
});

export const listPolls = command({
  name: 'poll.list',
  reads: true,
  right: 'viewer',
  summary: 'Polls, newest first; by default proposals that await a decision.',
  input: pollsInput,
  handle: async ({ ctx, input }) => {
    const rows = await pollPage(ctx.reads, input, ctx.clock.now());
    const { data, next } = pageOf(rows, input.limit, ({ id }) => id);
    const polls = data.map(({ last_decision_id, ...row }) => ({
      poll: pollViewOf(ctx, row),
      last_decision_id,
    }));
    return { data: polls, next };
  },
});
