import { z } from 'zod';
import { readEndpoint } from '../../http/endpoint.js';
import { unreadiness } from './ready.js';

const KEEP_MS = 1000;

export const readiness = z
  .object({ status: z.enum(['ok', 'fail']) })
  .describe('Whether the board can serve; why not is in its log.');

/** Says ok or fail and nothing more (spec/board.md §14.6). */
export const isReady = readEndpoint({
  get: '/readyz',
  id: 'isReady',
  tag: 'Health',
  summary: 'Whether the board can serve',
  description:
    'Database, migrations, log, clock and disk. Tells ok or fail and nothing more.',
  about: 'the board can serve',
  answers: () => ({
    200: {
      description: 'It can.',
      json: { schema: readiness, example: { status: 'ok' } },
    },
    503: {
      description: 'It cannot, for now.',
      json: { schema: readiness, example: { status: 'fail' } },
    },
  }),
  uncounted: true,
  cache: 'no-store',
  handle: (ctx) => {
    const problems = oncePerSecond(() => unreadiness(ctx));
    return async () => {
      const found = await problems();
      if (found.length === 0) return { json: { status: 'ok' as const } };
      ctx.log.warn({ problems: found }, 'not ready');
      return { json: { status: 'fail' as const }, status: 503 };
    };
  },
});

/** One look per second, however often it is asked. */
function oncePerSecond<T>(look: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY;
  let result: Promise<T> | null = null;
  return () => {
    const now = performance.now();
    if (result === null || now - at > KEEP_MS) {
      at = now;
      result = look();
    }
    return result;
  };
}
