import { z } from 'zod';
import type { Context } from '../context.js';
import { schemaState } from '../db/migrate.js';
import { seenReplicas } from '../db/replicas/replicas.js';
import { type Endpoint, readEndpoint } from '../http/endpoint.js';
import { ok } from '../http/openapi/operation.js';
import { freeDisk, isLow } from './disk.js';
import { readLogHead } from './operations.sql.js';

const alive = z
  .object({ status: z.literal('ok') })
  .describe('The process answers.');

/** spec/board.md §14.6 */
const isAlive = readEndpoint({
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

const readiness = z
  .object({ status: z.enum(['ok', 'fail']) })
  .describe('Whether the board can serve; why not is in its log.');

/** Without reasons (spec/board.md §14.6). */
const isReady = readEndpoint({
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
      ctx.log.warn({ problems: sentencesOf(found) }, 'not ready');
      return { json: { status: 'fail' as const }, status: 503 };
    };
  },
});

/** `/readyz` with reasons, for operators. */
export async function readinessOf(ctx: Context) {
  const problems = await unreadiness(ctx);
  return {
    status: problems.length === 0 ? ('ok' as const) : ('fail' as const),
    problems: sentencesOf(problems),
    replicas: await seenReplicas(ctx.replicas),
  };
}

function sentencesOf(problems: readonly Problem[]): Record<string, string> {
  return Object.fromEntries(problems.map((name) => [name, PROBLEMS[name]]));
}

function oncePerSecond<T>(look: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY;
  let result: Promise<T> | null = null;
  return () => {
    const now = performance.now();
    if (result === null || now - at > 1000) {
      at = now;
      result = look();
    }
    return result;
  };
}

const PROBLEMS = {
  stopping: 'The node is asked to stop.',
  database:
    'The database does not answer; run "reserve-board doctor", which says why.',
  slow: 'The database took longer than a second to answer, twice.',
  'read-only':
    'The database takes no writes: it is a standby, or default_transaction_read_only is on; DATABASE_URL has to lead to the primary.',
  migrations:
    'The database lacks migrations of this release; run "reserve-board migrate".',
  ledger:
    'The head of the log is not that of its entries; run "reserve-board doctor --deep".',
  clock:
    'The clock is more than 2 minutes behind the last entry of the log; set it.',
  'clock skew':
    "The clocks of this machine and of the database's differ by more than 2 s; set both, such as by NTP.",
  'clock ahead':
    'The clock jumped ahead and writes are closed; set it, or run "reserve-board clock accept".',
  'log guard':
    'The log guard keeps writes closed; run "reserve-board doctor --deep".',
  disk: 'The disk of DATA_DIR is almost full.',
} as const;

type Problem = keyof typeof PROBLEMS;

export const PROBLEM_NAMES = Object.keys(PROBLEMS) as Problem[];

const CLOCK_SKEW_MS = 2000;
const BEHIND_MS = 120_000;

/** Empty when ready (spec/board.md §14.6). */
export async function unreadiness(ctx: Context): Promise<Problem[]> {
  const found = await lookAt(ctx);
  // One slow answer, or a connection that had ended, is no state: a second look tells.
  const isPassing = found.includes('slow') || found.includes('database');
  return isPassing ? await lookAt(ctx) : found;
}

async function lookAt(ctx: Context): Promise<Problem[]> {
  if (ctx.stopping.aborted) return ['stopping'];
  const problems: Problem[] = [];
  const before = ctx.clock.now();
  try {
    const row = await readLogHead(ctx.writes);
    const now = ctx.clock.now();
    if (row === undefined) return ['ledger'];
    // A newer release's schema is compatible.
    const { lacking } = await schemaState(ctx.writes);
    if (lacking.length > 0) problems.push('migrations');
    if (now - before > 1000) problems.push('slow');
    if (row.read_only) problems.push('read-only');
    if (row.size !== row.next_idx || row.last_message_id < row.newest) {
      problems.push('ledger');
    }
    if (row.last_at - now > BEHIND_MS) problems.push('clock');
    if (row.db_ms < before - CLOCK_SKEW_MS || row.db_ms > now + CLOCK_SKEW_MS) {
      problems.push('clock skew');
    }
  } catch {
    return ['database'];
  }
  if (ctx.guard.closed !== null) problems.push('log guard');
  if (ctx.clockGuard.aheadSeconds > 0) problems.push('clock ahead');
  const disk = await freeDisk(ctx.config.dataDir);
  if (disk === null || isLow(disk)) problems.push('disk');
  return problems;
}

export const healthEndpoints: readonly Endpoint[] = [isAlive, isReady];

export const healthSchemas = { Alive: alive, Readiness: readiness };
