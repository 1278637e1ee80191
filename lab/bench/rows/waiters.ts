import { randomUUID } from 'node:crypto';
import { until } from '../../../test/support/until.js';
import { Poster } from '../load/post.js';
import type { Child } from '../set-up/child.js';
import type { Lab, RunningBoard } from '../set-up/lab.js';

const AT_ONCE = 400;
const WITHIN_MS = 120_000;

export async function publishOne(port: number): Promise<number> {
  // Not kept: a board closes what is silent for seconds.
  const poster = await Poster.open(port, () => '127.0.0.1');
  const { status, answer } = await poster.twoSteps(
    {
      path: '/write/preview',
      body: {
        request_id: randomUUID(),
        reply_to: 1,
        body: 'What all wait for.',
      },
    },
    '/write/publish',
  );
  poster.close();
  if (status !== 201) throw new Error(`a publish answered ${status}`);
  return (answer.message as { id: number }).id;
}

/** A few hundred at a time: all at once would queue for the database. */
export async function openWaiters(
  lab: Lab,
  board: RunningBoard,
  readers: readonly Child[],
  path: string,
  wanted: number,
): Promise<void> {
  const { port } = board;
  for (let open = 0, turn = 0; open < wanted; turn += 1) {
    const count = Math.min(AT_ONCE, wanted - open);
    const reader = readers[turn % readers.length];
    await reader?.ask({ kind: 'wait', port, path, count });
    open += count;
    await until(
      `waiters: ${open}`,
      async () => {
        const now = await board.ask<number>({ ask: 'waiting' });
        lab.at('waiters of R5', now, wanted);
        return now === open;
      },
      WITHIN_MS,
    );
  }
}
