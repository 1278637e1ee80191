import type { Database } from '../../../server/db/sql.js';
import { NodeProcess } from '../../faults/node-process.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import { TestClock } from '../../support/clock.js';
import { createDatabase } from '../../support/cluster.js';
import { connected } from '../../support/database.js';
import { LIFTED } from '../../support/lifted.js';
import { insertPeer, meshBoard, shownBy } from '../support/two-boards.js';

const LIMITS = {
  ...LIFTED,
  ...LIFTED_KEYS,
  reads_per_network_minute: 1_000_000,
  mesh_gets_per_network_minute: 1_000_000,
  mesh_waits_per_network: 100,
};

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

export async function nodeProcess(
  name: string,
  ROLES = 'api,mesh',
): Promise<MeshNode & { node: NodeProcess }> {
  const own = await createDatabase();
  const env = {
    BOARD_NAME: name,
    DATABASE_URL: own.url,
    BOARD_LIMITS: JSON.stringify(LIMITS),
    ROLES,
  };
  const node = await NodeProcess.create({ linked: true, env });
  const { db, end } = await connected(own.url);
  return {
    name,
    url: node.url,
    db,
    node,
    kill: async () => {
      await node.end('SIGKILL');
      await node.start();
    },
    stop: async () => {
      await end();
      await node.remove();
      await own.drop();
    },
  };
}

/** Makes `at` mirror `of`, reached at `baseUrl`, guests included. */
export async function follow(
  at: MeshNode,
  of: MeshNode,
  baseUrl: string,
): Promise<void> {
  const facts = await shownBy(of.url);
  const about = { content: 'all', baseUrl } as const;
  await at.db.transaction(async (tx) => {
    await insertPeer(tx, facts, 'mirror', about, Date.now());
    await tx.query("SELECT pg_notify('board_peers', '')");
  });
}
