import pg from 'pg';
import { Board } from '../../../server/board.js';
import { boundHeapGrowth } from '../../../server/cli/heap-growth.js';
import { parseConfig } from '../../../server/config.js';
import { silentLogger } from '../../../server/logger.js';
import { answer } from './answer.js';

export type BoardQuestion =
  | { ask: 'start'; env: Record<string, string>; timeoutFactor: number }
  | { ask: 'usage' }
  | { ask: 'settle' }
  | { ask: 'watch-memory' }
  | { ask: 'peak-memory' }
  | { ask: 'waiting' }
  | { ask: 'watch-commit' };

export type Usage = {
  /** Bytes of memory. */
  rss: number;
  /** Processor time in ms since its start. */
  cpuMs: number;
  /** Statements sent to the database since its start. */
  queries: number;
  /** Of these, those that look for updates. */
  looks: number;
};

const SAMPLE_MS = 20;
/** What no other statement of a node reads. */
const LOOK = /\bFROM log_state head\b/;

const textOf = (asked: unknown) =>
  typeof asked === 'string' ? asked : ((asked as { text?: string }).text ?? '');

let board: Board | null = null;
let queries = 0;
let looks = 0;
let peak = 0;

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(
  this: pg.Client,
  ...args: unknown[]
) {
  queries += 1;
  if (LOOK.test(textOf(args[0]))) looks += 1;
  return Reflect.apply(query, this, args);
} as typeof query;

function started(): Board {
  if (board === null) throw new Error('the board is not started');
  return board;
}

async function start(
  env: Record<string, string>,
  timeoutFactor: number,
): Promise<number> {
  const config = parseConfig(env);
  boundHeapGrowth(); // as a node does
  board = await Board.create(config, { log: silentLogger, timeoutFactor });
  return await board.start();
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  return { rss, cpuMs: (user + system) / 1000, queries, looks };
}

function watchMemory(): void {
  peak = 0;
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, SAMPLE_MS).unref();
}

/** When the next message was committed, in ms since the epoch. */
async function nextCommit(): Promise<number> {
  await started().context.events.subscribe('messages').woken;
  return performance.timeOrigin + performance.now();
}

answer<BoardQuestion>(
  async (question) => {
    if (question.ask === 'start') {
      return await start(question.env, question.timeoutFactor);
    }
    // It throws away what V8 learned too: not before what counts its time.
    if (question.ask === 'settle') return globalThis.gc?.();
    if (question.ask === 'usage') return usage();
    if (question.ask === 'watch-memory') return watchMemory();
    if (question.ask === 'peak-memory') return peak;
    if (question.ask === 'watch-commit') return await nextCommit();
    return started().context.readLimiter.taken('board');
  },
  async () => await board?.stop(),
);
