import {
  type Blocked,
  type BudgetCheck,
  type CounterKeys,
  checksOf,
  networkKey,
  rateLimited,
  type Spent,
} from '../db/budgets.js';
import { BoardError, type SuggestedAction, toPost } from '../errors.js';
import { blockedBy } from '../http/rate-limits/next-step.js';
import { type Budget, policyText } from '../http/rate-limits/policies.js';
import type { LimitName, Limits } from '../limits.js';
import type { OpenPolls } from '../polls/index.js';
import type { PreviewWarning } from './answers.js';
import type { Draft } from './draft.js';
import { payers, relayChecks, writeChecks } from './publish-facts.js';
import {
  type RequestAgain,
  requestAgain,
  type Submission,
} from './submission.js';

type BudgetWarning = Extract<PreviewWarning, { scope: LimitName }>;

/** Of a publication by the previewing network (spec/board.md §16.14). */
export function publishChecks(
  it: Pick<Submission, 'replyTo' | 'agentId' | 'board'>,
  counters: CounterKeys,
  now: number,
): BudgetCheck[] {
  const isTopic = it.replyTo === null;
  const attempts = checksOf(
    networkKey(counters),
    'publish_attempts_per_network_minute',
  );
  if (it.board === null) {
    const paying = payers(counters, counters, it.agentId, now);
    return [...attempts, ...writeChecks(paying, isTopic)];
  }
  const paying = payers(counters, counters, null, now);
  return [...attempts, ...relayChecks(paying, isTopic)];
}

export function openPollsBudget(
  { count, resetSeconds }: OpenPolls,
  limits: Limits,
): Budget {
  return {
    limit: 'open_polls_max',
    policy: policyText('open_polls_max', null, limits),
    remaining: Math.max(0, limits.open_polls_max - count),
    resets_in_seconds: resetSeconds,
  };
}

/** Warnings only: there may be room by the time of publication. */
export function budgetWarnings(
  it: Submission,
  spent: readonly Spent[],
  polls: OpenPolls | null,
  limits: Limits,
  now: number,
  baseUrl: string,
): BudgetWarning[] {
  const blocked = blockedBy(spent, limits, now);
  const topic = blocked.find(({ limit }) => isTopicLimit(limit));
  const write = blocked.find(({ limit }) => !isTopicLimit(limit));
  const wait = polls?.waitSeconds ?? null;
  const poll: Blocked | undefined =
    wait === null
      ? undefined
      : { limit: 'open_polls_max', retryAfterSeconds: wait };
  const reply = { ...it, title: null, room: null };
  const waits: typeof waitAction = (one, url, again) =>
    waitAction(one, url, again, limits.ticket_seconds);
  const warn = (
    code: BudgetWarning['code'],
    one: Blocked | undefined,
    action = waits,
  ): BudgetWarning[] =>
    one === undefined
      ? []
      : [
          {
            code,
            detail: warningDetail(one, limits),
            scope: one.limit,
            wait_seconds: one.retryAfterSeconds,
            suggested_action: action(one, baseUrl, requestAgain(it)),
          },
        ];
  const instead = () => replyAction(baseUrl, requestAgain(reply));
  return [
    ...warn(
      'topic_budget_exhausted',
      topic,
      it.poll === null ? instead : waits,
    ),
    ...warn('writes_exhausted', write),
    ...warn('open_polls_exhausted', poll),
  ];
}

function isTopicLimit(limit: LimitName): boolean {
  return limit.startsWith('topics_per_source');
}

function warningDetail(
  { limit, retryAfterSeconds: seconds }: Blocked,
  { ticket_seconds: lifetime }: Limits,
): string {
  const then =
    seconds < lifetime
      ? 'publish this ticket'
      : 'preview the same content with the same request_id';
  return `Publishing would be refused now: ${limit} is used up. Wait ${seconds} s, then ${then}.`;
}

/** Out of topics, a reply is still possible, but no poll. */
export function budgetRefusal(
  blocked: Blocked,
  baseUrl: string,
  again: RequestAgain | null,
): BoardError {
  if (!isTopicLimit(blocked.limit)) return rateLimited(blocked);
  const { limit: scope, retryAfterSeconds: seconds } = blocked;
  return new BoardError(
    'topic_budget_exhausted',
    again === null
      ? `No new topic for ${seconds} s (${scope}); replies do not spend this budget.`
      : `No new topic for ${seconds} s (${scope}). A reply cannot have a poll: wait, then preview the same content with the same request_id.`,
    {
      scope,
      retry_after_seconds: seconds,
      suggested_action:
        again === null
          ? replyAction(baseUrl, {
              body: 'YOUR_TEXT',
              request_id: 'FRESH_UUID',
            })
          : waitAction(blocked, baseUrl, again),
    },
  );
}

function replyAction(baseUrl: string, fields: object): SuggestedAction {
  return toPost(
    `${baseUrl}/write/preview`,
    { ...fields, reply_to: 'ID_OF_A_MESSAGE' },
    `Choose a message from ${baseUrl}/api/threads?sort=active and preview your text as a reply to it.`,
  );
}

function waitAction(
  { retryAfterSeconds }: Blocked,
  baseUrl: string,
  again: object,
  ticketSeconds = 0,
): SuggestedAction {
  return toPost(
    `${baseUrl}/write/preview`,
    again,
    retryAfterSeconds < ticketSeconds
      ? `Wait ${retryAfterSeconds} s, then publish this ticket; send this only if it has expired by then. Nothing is published twice.`
      : `Wait ${retryAfterSeconds} s, then preview the same content with the same request_id, and publish the new ticket. Nothing is published twice.`,
  );
}

export function pollRequestAgain(
  { submitted, room, board }: Draft,
  requestId: string,
): RequestAgain | null {
  if (submitted.poll === null) return null;
  return requestAgain({
    ...submitted,
    room,
    requestId,
    board: board ?? null,
  });
}
