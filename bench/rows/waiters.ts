import { randomUUID } from 'node:crypto';
import { until } from '../../test/support/until.js';
import type { Lab, RunningBoard } from '../lab/lab.js';
import type { Poster } from '../load/post.js';

const WITHIN_MS = 300_000;

/** Answers the id of the message. */
export async function publishOne(poster: Poster): Promise<number> {
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
  if (status !== 201) throw new Error(`a publish answered ${status}`);
  return (answer.message as { id: number }).id;
}

export async function waiting(lab: Lab, board: RunningBoard, count: number) {
  await until(
    `waiters: ${count}`,
    async () => {
      const now = await board.ask<number>({ ask: 'waiting' });
      lab.at('waiters of R5', now, count);
      return now === count;
    },
    WITHIN_MS,
  );
}
