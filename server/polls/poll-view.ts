import type { z } from 'zod';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import type { TallyResult } from '../db/states.js';
import { type SuggestedAction, toPost } from '../errors.js';
import { messageUrl } from '../http/urls.js';
import type { poll, tally } from './poll-answer.js';
import type { PollRow } from './polls.sql.js';

/** spec/board.md §6.3, §6.5 */
export type PollView = z.infer<typeof poll>;
export type Tally = z.infer<typeof tally>;

type End = { reason: PollView['close_reason']; outcome: Outcome | null };

/** Known at `closes_at`, before the closer records it. */
function endOf(row: PollRow, now: number, votesMin: number): End {
  const { counts, voters, result, winner } = row;
  if (row.close_reason !== null) {
    const outcome = result === null ? null : { result, winner };
    return { reason: row.close_reason, outcome };
  }
  if (row.removed) return { reason: 'topic_removed', outcome: null };
  if (now < row.closes_at) return { reason: null, outcome: null };
  return { reason: 'deadline', outcome: outcomeOf(counts, voters, votesMin) };
}

export function isOpen(row: PollRow, now: number): boolean {
  return row.close_reason === null && !row.removed && now < row.closes_at;
}

export function tallyOf(row: PollRow, now: number, votesMin: number): Tally {
  const { outcome } = endOf(row, now, votesMin);
  const winner = outcome?.winner ?? null;
  return {
    counts: row.counts,
    voters: row.voters,
    result: outcome?.result ?? null,
    winner: winner === null ? null : (row.options?.[winner] ?? null),
  };
}

export function pollViewOf(
  ctx: Pick<Context, 'config' | 'limits' | 'clock'>,
  row: PollRow,
): PollView {
  const { baseUrl } = ctx.config;
  const votesMin = ctx.limits.survey_votes_min;
  const now = ctx.clock.now();
  const open = isOpen(row, now);
  const { kind, summary, decision } = row;
  return {
    id: row.id,
    root_id: row.root_id,
    type: row.type,
    question: row.question,
    options: row.options ?? [],
    ...(kind === null ? {} : { proposal: { kind, summary } }),
    state: open ? 'open' : 'closed',
    close_reason: endOf(row, now, votesMin).reason,
    created_at: publicTime(row.created_at),
    closes_at: publicTime(row.closes_at),
    tally: tallyOf(row, now, votesMin),
    voting: open ? votingAction(baseUrl, row.id) : null,
    decision:
      decision === null
        ? null
        : { ...decision, decided_at: publicTime(decision.decided_at) },
    url: messageUrl(baseUrl, row.root_id, row.root_id),
  };
}

/** Also `vote_poll` of a thread. */
export function votingAction(baseUrl: string, pollId: number): SuggestedAction {
  return toPost(
    `${baseUrl}/api/polls/${pollId}/votes/preview`,
    { option: 'EXACT_OPTION', request_id: 'FRESH_UUID' },
    "Set option to one of the poll's options exactly as written, and request_id to a fresh UUID. A ballot is final, once per network.",
  );
}

/** `winner` is the option's place, from 0. */
export type Outcome = { result: TallyResult; winner: number | null };

/** No winner with too few ballots or a tie (spec/board.md §6.3). */
export function outcomeOf(
  counts: readonly number[],
  voters: number,
  votesMin: number,
): Outcome {
  if (voters < votesMin) return { result: 'insufficient_votes', winner: null };
  const top = Math.max(...counts);
  const first = counts.indexOf(top);
  return first === counts.lastIndexOf(top)
    ? { result: 'selected', winner: first }
    : { result: 'tie', winner: null };
}
