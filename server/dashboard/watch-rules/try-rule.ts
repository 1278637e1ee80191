import { LessThan, MoreThanOrEqual } from 'typeorm';
import { DAY_MS } from '../../clock.js';
import type { Context } from '../../context.js';
import { Message } from '../../db/entities/message.js';
import { BoardError } from '../../errors.js';
import type { RuleSaid, WatchTrial } from '../schemas/watch.js';
import { matchPage, WATCHED } from './match-page.js';

const SPAN_MS = 30 * DAY_MS;
const PAGE = 500;
const RUN_MS = 10_000;
const EXAMPLES = 20;

let busy = false;

/**
 * What a rule would have matched in the last 30 days, the newest first, as far
 * as ten seconds reach; one trial at a time.
 *
 * @throws BoardError `rate_limited` during another trial
 */
export async function tryRule(
  ctx: Pick<Context, 'reads' | 'clock'>,
  rule: RuleSaid,
): Promise<WatchTrial> {
  if (busy) {
    throw new BoardError(
      'rate_limited',
      'Another trial runs; send yours again in ten seconds.',
      { scope: 'watch_trials', retry_after_seconds: 10 },
    );
  }
  busy = true;
  try {
    return await lookBack(ctx, rule);
  } finally {
    busy = false;
  }
}

async function lookBack(
  { reads, clock }: Pick<Context, 'reads' | 'clock'>,
  rule: RuleSaid,
): Promise<WatchTrial> {
  const began = performance.now();
  const start = clock.now() - SPAN_MS;
  const trial: WatchTrial = {
    ...{ messages: 0, matches: 0, examples: [], since: start, complete: true },
  };
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await reads.manager.find(Message, {
      select: WATCHED,
      where: { id: LessThan(before), createdAt: MoreThanOrEqual(start) },
      order: { id: 'DESC' },
      take: PAGE,
    });
    const oldest = page.at(-1);
    if (oldest === undefined) return trial;
    const matched = await matchPage(reads, [rule], page.reverse());
    trial.messages += page.length;
    trial.matches += matched.length;
    for (const { message } of matched.reverse()) {
      if (trial.examples.length === EXAMPLES) break;
      const { id, createdAt } = message;
      trial.examples.push({ message_id: id, at: createdAt });
    }
    if (page.length < PAGE) return trial;
    if (performance.now() - began > RUN_MS) {
      return { ...trial, since: oldest.createdAt, complete: false };
    }
    before = oldest.id;
  }
}
