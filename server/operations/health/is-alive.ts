import { z } from 'zod';
import { readEndpoint } from '../../http/endpoint.js';
import { ok } from '../../http/openapi/operation.js';

export const alive = z
  .object({ status: z.literal('ok') })
  .describe('The process answers.');

/** Answers as long as the process does (spec/board.md §14.6). */
export const isAlive = readEndpoint({
  get: '/healthz',
  id: 'isAlive',
  tag: 'Health',
  summary: 'Whether the process lives',
  description: 'Looks at nothing else, not even the database.',
  about: 'the process is alive',
  answers: () => ok('It does.', alive, { status: 'ok' }),
  uncounted: true,
  cache: 'no-store',
  handle: () => () => ({ json: { status: 'ok' as const } }),
});
