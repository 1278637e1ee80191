import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import supertest from 'supertest';
import { Board } from '../../server/board.js';
import { type SteadyClock, utcDay } from '../../server/clock.js';
import { parseConfig } from '../../server/config.js';
import type { ServerOptions } from '../../server/http/edge/timeouts.js';
import type { LimitName } from '../../server/limits.js';
import { silentLogger } from '../../server/logger.js';
import { TestClock } from './clock.js';
import { createDatabase } from './cluster.js';
import { LIFTED } from './lifted.js';
import { pairUp, replicaOf } from './pair.js';
import { running } from './running.js';
import { timed } from './times.js';
import { type Waits, waitsIn } from './waits.js';

/** `off` in the run of test/tiers.cjs that has no answers before Express. */
export const FAST_PATHS = process.env.TEST_FAST_PATHS ?? 'on';
export const BASE_URL = 'http://board.test';
/** The vectors' worked seed: the bytes 0 to 31. */
export const SEED = Buffer.from([...Array(32).keys()]).toString('hex');

/** What takes requests: a board of this process, or one of its own. */
export type Reached = {
  /** Requests as one network; the default one when none is named. */
  as(address?: string): supertest.Agent;
};

export type TestBoard = Reached & {
  get(path: string, from?: string): supertest.Test;
  post(path: string, body: string | object, from?: string): supertest.Test;
  board: Board;
  clock: TestClock;
  url: string;
  databaseUrl: string;
  waits(what: Waits): Promise<number>;
  /** Writes what all its processes have counted, as each does once a second. */
  flush(): Promise<void>;
  restart(between?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

export type TestBoardOptions = {
  limits?: Partial<Record<LimitName, number>>;
  /** Those of posting out of the way, for tests of something else. */
  lifted?: boolean;
  env?: Record<string, string>;
  clock?: TestClock;
  /** A node's own clock, in place of one that only a test moves. */
  steady?: SteadyClock;
  databaseUrl?: string;
  /** 1 for tests of what becomes of those who wait too long. */
  timeoutFactor?: number;
  /** Hashes passphrases at the cost of a node, a quarter of a second each. */
  fullHashes?: boolean;
  /** A refused passphrase is answered after a multiple of it; at once without. */
  refusalMs?: number;
  times?: ServerOptions;
  /** The client that it serves; a board that runs from its sources has none. */
  clientFile?: string;
  dashboard?: string;
};

/** A burst on a busy machine must not end in the 503 of a busy board. */
const PATIENCE = 10;
/** N of scrypt, for tests that are not about it. */
const QUICK_HASHES = 2 ** 10;

/** On a database of its own; networks are told apart by X-Forwarded-For. */
export async function startBoard(
  options: TestBoardOptions = {},
): Promise<TestBoard> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'reserve-board-'));
  const own = options.databaseUrl === undefined ? await createDatabase() : null;
  const databaseUrl = options.databaseUrl ?? own?.url ?? '';
  const {
    timeoutFactor = PATIENCE,
    fullHashes = false,
    clientFile,
    dashboard,
    refusalMs = 0,
    times = {},
  } = options;
  const clock = options.clock ?? new TestClock();
  const env = {
    PORT: '0',
    BASE_URL,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BOARD_SEED: SEED,
    // A seed from outside begins a log on this day only.
    LOG_BEGIN: utcDay((options.steady ?? clock).now()),
    BOARD_LIMITS: JSON.stringify({
      ...(options.lifted ? LIFTED : {}),
      ...options.limits,
    }),
    TRUST_PROXY: '127.0.0.1/32',
    // Jobs run when a test calls them, never by the real time.
    ROLES: 'api,mesh',
    FAST_PATHS,
    ...options.env,
    ...(own === null ? {} : replicaOf(databaseUrl)),
  };
  const how = {
    timeoutFactor,
    refusalMs,
    times,
    ...(clientFile === undefined ? {} : { clientFile }),
    ...(dashboard === undefined ? {} : { dashboard }),
    ...(fullHashes ? {} : { passphraseCost: QUICK_HASHES }),
  };
  const create = () =>
    Board.create(parseConfig(env), {
      clock: options.steady ?? clock,
      log: silentLogger,
      ...how,
    });
  const startOne = async () => {
    const board = await create();
    const port = await board.start();
    const isPaired = own !== null && options.steady === undefined;
    const pair = isPaired ? await pairUp({ env, how, clock, port }) : null;
    return { board, port: pair?.port ?? port, pair };
  };
  let { board, port, pair } = await timed('boards', startOne);
  const stopAll = async () => {
    await pair?.stop();
    await board.stop();
  };
  const test: TestBoard = {
    get board() {
      return board;
    },
    clock,
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    databaseUrl,
    as: (address = '203.0.113.1') =>
      supertest
        .agent(`http://127.0.0.1:${port}`)
        .set('X-Forwarded-For', address),
    get: (path, from) => test.as(from).get(path),
    post: (path, body, from) => test.as(from).post(path).send(body),
    waits: async (what) =>
      waitsIn(board, what) + ((await pair?.waits(what)) ?? 0),
    flush: async () => {
      await board.context.telemetry.flush();
      await pair?.flush();
    },
    restart: async (between = async () => {}) => {
      await stopAll();
      await between();
      ({ board, port, pair } = await timed('boards', startOne));
    },
    stop: async () => {
      await stopAll();
      running.delete(test);
      await own?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  running.add(test);
  return test;
}
