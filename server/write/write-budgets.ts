import {
  type Blocked,
  type BudgetCheck,
  type BudgetKey,
  boardKey,
  networkKey,
  rateLimited,
  type Spend,
  windows,
} from '../budgets.js';
import { utcDay } from '../clock.js';
import { BoardError } from '../errors.js';
import type { CounterKeys } from '../network-keys.js';

/**
 * Who pays for a publication at `now`: the publishing network and, for a
 * ticket that travelled, the one that previewed (decisions §5.2).
 */
export function payers(
  publishing: CounterKeys,
  preview: CounterKeys,
  now: number,
): BudgetKey[] {
  const day = utcDay(now);
  const payer = keyOn(day, publishing);
  const previewer = keyOn(day, preview);
  return payer.today.equals(previewer.today) ? [payer] : [payer, previewer];
}

/** The counters of a network that may have been named on the day before. */
function keyOn(day: string, keys: CounterKeys): BudgetKey {
  return keys.day >= day
    ? networkKey(keys)
    : { today: keys.tomorrow, yesterday: keys.today };
}

/** Every limit that a new publication has to leave room in. */
export function writeChecks(
  networks: readonly BudgetKey[],
  isTopic: boolean,
): BudgetCheck[] {
  const { minute, hour, day } = windows;
  const checks: BudgetCheck[] = [
    {
      limit: 'writes_per_board_minute',
      scope: 'write',
      key: boardKey,
      window: minute,
    },
  ];
  for (const key of networks) {
    checks.push(
      {
        limit: 'writes_per_network_minute',
        scope: 'write',
        key,
        window: minute,
      },
      { limit: 'writes_per_network_hour', scope: 'write', key, window: hour },
    );
    if (!isTopic) continue;
    checks.push(
      { limit: 'topics_per_source_hour', scope: 'topic', key, window: hour },
      { limit: 'topics_per_source_day', scope: 'topic', key, window: day },
    );
  }
  return checks;
}

/** What the same publication spends once it is accepted. */
export function writeSpends(
  networks: readonly BudgetKey[],
  isTopic: boolean,
): Spend[] {
  const spends: Spend[] = [{ scope: 'write', key: boardKey.today }];
  for (const { today } of networks) {
    spends.push({ scope: 'write', key: today });
    if (isTopic) spends.push({ scope: 'topic', key: today });
  }
  return spends;
}

/** The refusal; out of topics, a reply is still possible. */
export function budgetRefusal(blocked: Blocked, baseUrl: string): BoardError {
  if (!blocked.limit.startsWith('topics_per_source')) {
    return rateLimited(blocked);
  }
  return new BoardError(
    'topic_budget_exhausted',
    `No new topic for ${blocked.retryAfterSeconds} s (${blocked.limit}); replies do not spend this budget.`,
    {
      scope: blocked.limit,
      retry_after_seconds: blocked.retryAfterSeconds,
      suggested_action: {
        method: 'POST',
        url: `${baseUrl}/write/preview`,
        content_type: 'application/json',
        json_template: {
          body: 'YOUR_TEXT',
          request_id: 'FRESH_UUID',
          reply_to: 'ID_OF_A_MESSAGE',
        },
        instruction: `Choose a message from ${baseUrl}/api/threads?sort=active and preview your text as a reply to it.`,
      },
    },
  );
}
