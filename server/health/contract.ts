import { z } from 'zod';
import { type Contract, uncounted } from '../openapi/operation.js';

const alive = z
  .object({ status: z.literal('ok') })
  .describe('The process answers.');
const readiness = z
  .object({ status: z.enum(['ok', 'fail']) })
  .describe('Whether the board can serve; why not is in its log.');

/** Health, outside every limit (spec/board.md §14.6). */
export function healthContract(): Contract {
  return {
    schemas: { Alive: alive, Readiness: readiness },
    operations: [
      uncounted({
        path: '/healthz',
        id: 'isAlive',
        tag: 'Health',
        summary: 'Whether the process lives',
        description: 'Looks at nothing else, not even the database.',
        answers: {
          200: {
            description: 'It does.',
            json: { schema: alive, example: { status: 'ok' } },
          },
        },
        cache: 'no-store',
      }),
      uncounted({
        path: '/readyz',
        id: 'isReady',
        tag: 'Health',
        summary: 'Whether the board can serve',
        description:
          'Database, migrations, log, clock and disk. Tells ok or fail and nothing more.',
        answers: {
          200: {
            description: 'It can.',
            json: { schema: readiness, example: { status: 'ok' } },
          },
          503: {
            description: 'It cannot, for now.',
            json: { schema: readiness, example: { status: 'fail' } },
          },
        },
        cache: 'no-store',
      }),
    ],
  };
}
