import fc from 'fast-check';
import type { Sent } from '../../test/support/send.js';
import type { Generated } from './requests/parts.js';

/** So many requests are made from one seed, and are in memory at once. */
const CHUNK = 1000;
const AT_ONCE = 8;
/** How long a counterexample is made smaller. */
const SHRINK_MS = 30_000;

/** Sends a request, the n-th, and says what is wrong with its answer. */
export type Ask = (it: Generated, n: number) => Promise<string[]>;

type Options = {
  count: number;
  seed: number;
  /** After each thousand. */
  between?: (begun: number) => void | Promise<void>;
};

/**
 * Sends generated requests, several at once.
 *
 * @throws Error at the first wrong answer, with the smallest request found that
 * is answered wrongly by itself.
 */
export async function walk(
  requests: fc.Arbitrary<Generated>,
  ask: Ask,
  { count, seed, between = () => {} }: Options,
): Promise<void> {
  for (let begun = 0; begun < count; begun += CHUNK) {
    const numRuns = Math.min(CHUNK, count - begun);
    // Each seed gives a thousand: none repeats what one beside it gave.
    const own = { seed: seed * 1_000_003 + begun, numRuns };
    const sample = fc.sample(fc.tuple(requests), own).map(([it]) => it);
    const failed = await firstWrong(sample, begun, ask);
    if (failed !== null) {
      throw await counterexample(requests, ask, { ...own, ...failed });
    }
    await between(begun + numRuns);
  }
}

type Wrong = { at: number; it: Generated; problems: string[] };

async function firstWrong(
  sample: readonly Generated[],
  begun: number,
  ask: Ask,
): Promise<Wrong | null> {
  let wrong: Wrong | null = null;
  const left = sample.entries();
  const worker = async () => {
    for (const [at, it] of left) {
      const problems = await askedWell(ask, it, begun + at);
      if (problems.length > 0 && (wrong === null || at < wrong.at)) {
        wrong = { at, it, problems };
      }
      if (wrong !== null) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}

async function askedWell(ask: Ask, it: Generated, n: number) {
  try {
    return await ask(it, n);
  } catch (error) {
    return [`no answer: ${String(error)}`];
  }
}

/** The same request made again from its seed, and made smaller. */
async function counterexample(
  requests: fc.Arbitrary<Generated>,
  ask: Ask,
  { seed, at, it, problems }: Wrong & { seed: number },
): Promise<Error> {
  let smallest = { it, problems };
  const fails = fc.asyncProperty(requests, async (smaller) => {
    const found = await askedWell(ask, smaller, at);
    if (found.length === 0) return;
    smallest = { it: smaller, problems: found };
    throw new Error('wrong');
  });
  await fc.check(fails, {
    seed,
    path: String(at),
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  const lines = [
    ...smallest.problems,
    `${smallest.it.kind}, request ${at} of fast-check’s seed ${seed}:`,
    written(smallest.it),
  ];
  return new Error(lines.join('\n'));
}

/** A request as `send` takes it; a character of its body is a byte. */
export function written({ method, path, headers, body }: Sent): string {
  const text = body === null ? null : Buffer.from(body).toString('latin1');
  return JSON.stringify({ method, path, headers, body: text });
}
