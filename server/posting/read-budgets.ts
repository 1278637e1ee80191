import { z } from 'zod';
import {
  type BudgetCheck,
  type CounterKeys,
  checksOf,
  counterChecks,
  networkKey,
} from '../db/budgets.js';
import { takeBudgets } from '../db/budgets.sql.js';
import { readEndpoint, type Setting } from '../http/endpoint.js';
import { communityShape } from '../http/openapi/common.js';
import { EXAMPLE_AGENT } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { key } from '../http/query.js';
import { budgetsOf, countable } from '../http/rate-limits/next-step.js';
import { community } from '../http/send.js';
import { failuresBudget, findFailures } from '../tickets/index.js';
import { budget } from './answers.js';
import { publishChecks } from './budgets.js';

const list = z.array(budget);

export const budgetsRead = z
  .object({
    budgets: z.object({ topic: list, reply: list, ballot: list, rating: list }),
    ...communityShape,
  })
  .describe('What is left, of the network or key with less room.');

/** spec/board.md §2.24 */
export const readBudgets = readEndpoint({
  get: '/api/budgets',
  id: 'readBudgets',
  tag: 'Posting',
  summary: 'What your network may still write',
  description:
    'The limits that a topic, a reply, a ballot and a rating would meet now, previews and attempts included, of the network that asks; with `agent_id` those of that key, too. It spends one read and no other limit. All who share a network see its budgets; pages of other sites do not.',
  about: 'what your network may still write',
  ownSite: true,
  tool: { name: 'look_up', without: ['agent_id'] },
  query: () => ({
    agent_id: key()
      .optional()
      .describe('A key whose limits count, too.')
      .meta({ examples: [EXAMPLE_AGENT] }),
  }),
  answers: (setting) =>
    ok('By what is written.', budgetsRead, exampleBudgets(setting)),
  errors: ['forbidden', 'unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    const failuresOf = findFailures(ctx.writes);
    return async ({ query, network }) => {
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network());
      const { topic, reply, ballot } = checksFor(counters, query.agent_id, now);
      const all = countable([...topic, ...ballot], ctx.limits);
      const { limits } = ctx;
      const asked = { checks: [], reported: all, limits, now };
      const spent = await takeBudgets(ctx.writes, asked);
      const failures = await failuresOf({ network: counters, now });
      const rating = [failuresBudget(failures, limits, now)];
      const of = (checks: BudgetCheck[]) =>
        budgetsOf(checks, spent, limits, now);
      const budgets = {
        topic: of(topic),
        reply: of(reply),
        ballot: [...of(ballot), ...rating],
        rating,
      };
      return { json: { budgets, community: community(ctx.config.baseUrl) } };
    };
  },
});

function checksFor(
  counters: CounterKeys,
  agentId: string | undefined,
  now: number,
) {
  const own = networkKey(counters);
  const preview = checksOf(own, 'previews_per_network_hour');
  const publishing = (replyTo: number | null) => [
    ...preview,
    ...publishChecks(
      { replyTo, agentId: agentId ?? null, board: null },
      counters,
      now,
    ),
  ];
  const ballot = (['ballot_preview', 'ballot_attempt', 'ballot'] as const)
    .flatMap((scope) => counterChecks(scope, counters))
    // Of the others the rest would show what others do.
    .filter(({ limit }) => limit.includes('_per_network_'));
  return { topic: publishing(null), reply: publishing(1), ballot };
}

function exampleBudgets({ limits, baseUrl }: Setting) {
  const reply = {
    limit: 'writes_per_network_minute',
    policy: '"writes_per_network_minute";q=6;w=60',
    remaining: 5,
    resets_in_seconds: 41,
  };
  const rating = [failuresBudget({ tickets: 0, until: 0 }, limits, 0)];
  return {
    budgets: { topic: [reply], reply: [reply], ballot: rating, rating },
    community: community(baseUrl),
  };
}
