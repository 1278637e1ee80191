import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../../../server/db/sql.js';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import { keepNewSeed } from '../../../server/ledger/board-seed.js';
import { type Running, running } from '../../server/cli/command.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import { TestClock } from '../../support/clock.js';
import { createDatabase } from '../../support/cluster.js';
import { connected } from '../../support/database.js';
import { freePort } from '../../support/free-port.js';
import { LIFTED } from '../../support/lifted.js';
import { insertPeer, meshBoard, seedOf } from '../support/two-boards.js';

const LIMITS = {
  ...LIFTED,
  ...LIFTED_KEYS,
  reads_per_network_minute: 1_000_000,
  mesh_gets_per_network_minute: 1_000_000,
  mesh_waits_per_network: 100,
};

/** A board that can be killed and comes back at its address. */
export type MeshNode = {
  name: string;
  url: string;
  db: Database;
  /** Ends it in the middle of whatever it does, and starts it again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** In this process: a kill takes its database connections, then restarts it. */
export async function nodeHere(name: string): Promise<MeshNode> {
  const clock = Object.assign(new TestClock(), { now: () => Date.now() });
  const test = await meshBoard(name, { limits: LIMITS, clock });
  const { db, end } = await connected(test.databaseUrl);
  return {
    name,
    url: test.url,
    db,
    kill: async () => {
      await db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND backend_type = 'client backend' -- a vacuum is not ours to end`,
      );
      await test.restart();
    },
    stop: async () => {
      await end();
      await test.stop();
    },
  };
}

/** A process of its own, which dies by SIGKILL. */
export async function nodeProcess(name: string): Promise<MeshNode> {
  const own = await createDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'reserve-mesh-'));
  await keepNewSeed(folder, seedOf(name));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    BASE_URL: url,
    BOARD_NAME: name,
    DATA_DIR: folder,
    DATABASE_URL: own.url,
    BOARD_LIMITS: JSON.stringify(LIMITS),
    MESH_ALLOW_HTTP: 'on',
    MESH_ALLOW_PRIVATE: 'on',
    ROLES: 'api,mesh',
    LOG_LEVEL: 'error',
  };
  const start = () => running(['start', '--json'], env, /"listening"/);
  let node: Running = await start();
  const { db, end } = await connected(own.url);
  return {
    name,
    url,
    db,
    kill: async () => {
      await node.stop('SIGKILL');
      node = await start();
    },
    stop: async () => {
      await end();
      await node.stop();
      await own.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes `at` mirror `of`, reached at `baseUrl`, guests included. */
export async function follow(
  at: MeshNode,
  of: MeshNode,
  baseUrl: string,
): Promise<void> {
  const { name, url } = of;
  const origin = `${name}/log`;
  const mesh = await (await fetch(`${url}/api/mesh`)).json();
  const { identity } = mesh as { identity: string };
  const none = { logKey: null, mirrorKey: null, nodeKey: null };
  const keys = boardKeys({ ...none, boardSeed: seedOf(name) }, name, origin);
  const facts = { name, origin, url, identity, keys };
  const about = { content: 'all', baseUrl } as const;
  await at.db.transaction(async (tx) => {
    await insertPeer(tx, facts, 'mirror', about, Date.now());
    await tx.query("SELECT pg_notify('board_peers', '')");
  });
}
