import pg from 'pg';
import { formatVkey, parseVkey } from '../../../protocol/vkey.js';
import { Board } from '../../../server/board.js';
import { boundHeapGrowth } from '../../../server/cli/heap-growth.js';
import { parseConfig } from '../../../server/config.js';
import {
  boardRevision,
  raiseRevision,
} from '../../../server/db/notifications.js';
import { silentLogger } from '../../../server/logger.js';
import { insertPeer } from '../../../test/mesh/support/two-boards.js';
import { answer } from './answer.js';

export type BoardQuestion =
  | { ask: 'start'; env: Record<string, string>; timeoutFactor: number }
  | { ask: 'usage' }
  | { ask: 'settle' }
  | { ask: 'watch-memory' }
  | { ask: 'peak-memory' }
  | { ask: 'waiting' }
  | { ask: 'watch-commit' }
  | { ask: 'revision' }
  | { ask: 'drop-all' }
  | { ask: 'facts' }
  | { ask: 'link'; url: string; logVkey: string }
  | { ask: 'mirror'; name: string; url: string; logVkey: string }
  | { ask: 'mirrored' };

export type BoardFacts = { name: string; logVkey: string };

export type Usage = {
  /** Bytes of memory. */
  rss: number;
  /** Processor time in ms since its start. */
  cpuMs: number;
  queries: number;
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

/** From now on each commit ends every kept answer. */
async function dropAll(): Promise<void> {
  for (;;) {
    await started().context.events.subscribe('messages').woken;
    raiseRevision();
  }
}

function facts(): BoardFacts {
  const { board: about, keys } = started().context;
  return { name: about.name, logVkey: formatVkey(keys.log.vkey) };
}

/** What an operator does to follow another board (spec/mesh.md §B8). */
async function link(url: string, logVkey: string): Promise<void> {
  const { peerAdmin } = started();
  const { name } = await peerAdmin.add(url, { trust: 'mirror' });
  await peerAdmin.confirm(name, logVkey);
}

/** The same for a log that only a script serves, without an identity. */
async function mirror(name: string, url: string, logVkey: string) {
  const { keys, writes } = started().context;
  const vkey = parseVkey(logVkey);
  if (!vkey.ok) throw new Error('no verifier key');
  const facts = {
    ...{ name, url, origin: `${name}/log`, identity: '' },
    keys: { ...keys, log: { ...keys.log, vkey: vkey.value } },
  };
  const options = { content: 'all' } as const;
  await writes.transaction((tx) =>
    insertPeer(tx, facts, 'mirror', options, Date.now()),
  );
}

async function mirrored(): Promise<number> {
  const [row] = await started().context.reads.query<{ size: number }>(
    'SELECT sum(size)::int AS size FROM log_state WHERE origin_id <> 0',
  );
  return row?.size ?? 0;
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
    if (question.ask === 'revision') return boardRevision();
    if (question.ask === 'peak-memory') return peak;
    if (question.ask === 'watch-commit') return await nextCommit();
    if (question.ask === 'drop-all') return void dropAll();
    if (question.ask === 'facts') return facts();
    if (question.ask === 'mirrored') return await mirrored();
    if (question.ask === 'link') {
      return await link(question.url, question.logVkey);
    }
    if (question.ask === 'mirror') {
      return await mirror(question.name, question.url, question.logVkey);
    }
    return started().context.readLimiter.taken('board');
  },
  async () => await board?.stop(),
);
