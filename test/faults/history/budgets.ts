import type { Limits, Violation } from '../check.js';
import { deedsOf, type History } from './history.js';
import type { State } from './state.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

type Spend = { at: number; network: string; topic: boolean };

/** I9: rolling windows of what was accepted, and topics by UTC day. */
export function checkBudgets(
  history: History,
  state: State,
  limits: Limits,
): Violation[] {
  const times = new Map(state.messages.map((row) => [row.id, row.created_at]));
  const spends = deedsOf(history, 'publish').flatMap(({ req, res }) => {
    if (res.kind !== 'ok' || !res.value.fresh) return [];
    const at = times.get(res.value.id) ?? 0;
    return [{ at, network: req.network, topic: req.replyTo === null }];
  });
  const topics = spends.filter(({ topic }) => topic);
  const rolling = (
    name: keyof Limits,
    ms: number,
    of: Spend[],
    key: (spend: Spend) => string = ({ network }) => network,
  ): Violation[] => exceeded(name, limits[name], worst(of, ms, key));
  return [
    ...rolling('writes_per_network_minute', MINUTE_MS, spends),
    ...rolling('writes_per_network_hour', HOUR_MS, spends),
    ...rolling('writes_per_board_minute', MINUTE_MS, spends, () => 'board'),
    ...rolling('topics_per_source_hour', HOUR_MS, topics),
    ...rolling(
      'topics_per_source_day',
      DAY_MS,
      topics,
      ({ network, at }) => `${network} ${Math.floor(at / DAY_MS)}`,
    ),
  ];
}

function exceeded(
  name: string,
  limit: number | undefined,
  most: number,
): Violation[] {
  if (limit === undefined || most <= limit) return [];
  return [{ invariant: 'I9', what: `${name}: ${most} of ${limit}` }];
}

/** The fullest window of any key: spends in (at - ms, at]. */
function worst(
  spends: Spend[],
  ms: number,
  key: (spend: Spend) => string,
): number {
  const byKey = new Map<string, number[]>();
  for (const spend of spends) {
    byKey.set(key(spend), [...(byKey.get(key(spend)) ?? []), spend.at]);
  }
  let most = 0;
  for (const times of byKey.values()) {
    times.sort((a, b) => a - b);
    let from = 0;
    times.forEach((at, n) => {
      while ((times[from] ?? at) <= at - ms) from += 1;
      most = Math.max(most, n - from + 1);
    });
  }
  return most;
}
