import { utcDay } from '../clock.js';
import {
  type Blocked,
  type BudgetCheck,
  type BudgetKey,
  boardKey,
  fixedKey,
  networkKey,
  rateLimited,
  type Spend,
  windows,
} from '../db/budgets.js';
import { BoardError } from '../errors.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';

/** A network, or the key of a signed message: each has budgets of its own. */
type Payer = { kind: 'network' | 'key'; key: BudgetKey };

/**
 * Who pays for a publication at `now`: the publishing network; for a ticket
 * that travelled, the one that previewed too (spec/board.md §5.2); and the
 * signing key (§5.7).
 */
export function payers(
  publishing: CounterKeys,
  preview: CounterKeys,
  agentId: string | null,
  now: number,
): Payer[] {
  const day = utcDay(now);
  const networks = [keyOn(day, publishing)];
  const previewer = keyOn(day, preview);
  if (!networks[0]?.today.equals(previewer.today)) networks.push(previewer);
  const all: Payer[] = networks.map((key) => ({ kind: 'network', key }));
  if (agentId !== null) all.push({ kind: 'key', key: fixedKey(agentId) });
  return all;
}

/** The counters of a network that may have been named on the day before. */
function keyOn(day: string, keys: CounterKeys): BudgetKey {
  return keys.day >= day
    ? networkKey(keys)
    : { today: keys.tomorrow, yesterday: keys.today };
}

/** Every limit that a new publication has to leave room in. */
export function writeChecks(
  paying: readonly Payer[],
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
  for (const { kind, key } of paying) {
    checks.push(
      {
        limit: `writes_per_${kind}_minute`,
        scope: 'write',
        key,
        window: minute,
      },
      { limit: `writes_per_${kind}_hour`, scope: 'write', key, window: hour },
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
  paying: readonly Payer[],
  isTopic: boolean,
): Spend[] {
  const spends: Spend[] = [{ scope: 'write', key: boardKey.today }];
  for (const { key } of paying) {
    spends.push({ scope: 'write', key: key.today });
    if (isTopic) spends.push({ scope: 'topic', key: key.today });
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
