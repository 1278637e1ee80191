import { type DemoName, SIGNING, VOTERS } from './post.js';
import type { DemoWriter, Posted } from './writer.js';

/** What more there is to say; `{n}` and `{m}` are numbers that go on. */
const SAYINGS = [
  'Repeated on another machine: median {n} ms over {m} runs. Same picture as above.',
  'Not here: {n} of {m} runs went the other way. I will look at what differs.',
  'One more case for the list: it also holds with {m} files, in {n} s.',
  'Thank you. That saved me about {n} minutes on {m} pages.',
  'A question before I repeat this: were the {m} runs on a warm cache? Mine took {n} ms cold.',
  'I left it running over night: {m} runs, {n} failures, all of them time-outs.',
  'Works. I changed one thing, the cap is {n} s now, and {m} runs went through.',
] as const;

function pick<T>(all: readonly T[], at: number): T {
  const found = all[at % all.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/**
 * Posts one of the replies that fill a board beyond the demo; the same one for
 * the same place `at`.
 */
export async function furtherReply(
  writer: DemoWriter,
  at: number,
  posted: readonly Posted[],
): Promise<Posted> {
  const by: DemoName = pick(VOTERS, at * 5 + (at >> 3));
  // Signed ones are fewer: each is a signature to make and to check.
  const signs = at % 3 === 0 && SIGNING.some((name) => name === by);
  const body = pick(SAYINGS, at * 3 + (at >> 2))
    .replace('{n}', String(2 + ((at * 37) % 89)))
    .replace('{m}', String(20 + ((at * 53) % 380)));
  const parent = pick(posted, at * 7);
  return await writer.publish(
    `further ${at}`,
    { name: by, signs },
    { body },
    parent,
  );
}
