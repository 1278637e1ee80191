import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import type { Config } from '../../../server/config.js';
import type { LimitName } from '../../../server/limits.js';
import type { TestBoard } from '../../support/board.js';
import type { TestClock } from '../../support/clock.js';
import { copyDatabase, dropDatabase } from '../../support/cluster.js';
import { connected } from '../../support/database.js';
import { freePort } from '../../support/free-port.js';
import { httpProxy } from '../../support/http-proxy.js';
import { randomBytes } from '../../support/random.js';
import { until } from '../../support/until.js';
import { befriend, logVkeyOf, nodeOnPort } from '../peers/node-on-port.js';
import type { Lie } from './lying-mirror.js';
import { NewDisks } from './new-disk.js';
import { withoutAnchors } from './without-anchors.js';

type Env = Record<string, string>;
type Disk = Pick<Config, 'databaseUrl' | 'dataDir'>;

export type MirroredOptions = {
  /** Its disk is left when the board stops, for another start. */
  keepsDisk?: true;
  anchors?: false;
  befriended?: false;
  limits?: Partial<Record<LimitName, number>>;
  /** The clock of each start; when left out, a start goes on with the last. */
  clock?: () => TestClock;
};

/** A may start on other disks, B mirrors it, mirrors lie. For `given`. */
export const mirroredBoard =
  ({
    keepsDisk,
    anchors,
    befriended,
    limits = {},
    clock,
  }: MirroredOptions = {}) =>
  async () => {
    const port = await freePort();
    const env: Env = {
      ...{ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` },
      BOARD_SEED: randomBytes(32).toString('hex'),
    };
    const disks = new NewDisks(() => env);
    const others: { stop(): Promise<void> }[] = [];
    let disk: Disk | null = keepsDisk ? await disks.make() : null;

    const begin = (more: Env = {}, last?: TestClock) => {
      const now = clock?.() ?? last;
      return nodeOnPort({
        limits,
        env: { ...env, ...(disk && { DATA_DIR: disk.dataDir }), ...more },
        ...(disk && { databaseUrl: disk.databaseUrl ?? '' }),
        ...(now && { clock: now }),
      });
    };

    let a = await begin();
    if (anchors === false) await withoutAnchors(a);

    async function joined(): Promise<TestBoard> {
      const other = await nodeOnPort(clock ? { clock: clock() } : {});
      others.push(other);
      if (befriended === false) return other;
      await befriend(a, other);
      await befriend(other, a);
      return other;
    }

    async function mirroredBy(
      by: TestBoard,
      hint: (log: object) => unknown,
    ): Promise<number> {
      const { log } = (await a.as().get('/api/mesh')).body;
      await until(`${log.size} entries of ${log.origin}`, async () => {
        await hint(log);
        const peer = await by.board.peerAdmin.read(a.board.context.board.name);
        return peer.origin === log.origin && peer.mirrored_size >= log.size;
      });
      return log.size;
    }

    async function start(on = disk, more: Env = {}): Promise<void> {
      disk = on;
      a = await begin(more, a.clock);
    }

    async function confirm(): Promise<void> {
      await b.board.background.peers.witness.round();
      await b.board.peerAdmin.confirm(a.board.context.board.name, logVkeyOf(a));
    }

    const b = await joined();
    return {
      env,
      get a() {
        return a;
      },
      b,
      name: a.board.context.board.name,
      joined,
      newDisk: (more: Env = {}): Promise<Config> => disks.make(more),
      copy: async (more: Env = {}): Promise<Config> => {
        const to = await disks.make(more);
        const name = databaseOf(to.databaseUrl);
        await dropDatabase(name);
        await copyDatabase(name, databaseOf(a.databaseUrl));
        return to;
      },
      settings: (more: Env = {}): Env => ({
        ...{ ...env, MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on' },
        DATABASE_URL: a.databaseUrl,
        ...{ DATA_DIR: a.board.context.config.dataDir, ...more },
      }),
      start,
      mirrored: (by: TestBoard = b) => mirroredBy(by, () => {}),
      /** The same after A was away: a hint ends that, once in 30 seconds. */
      mirroredAgain: (by: TestBoard = b) =>
        mirroredBy(by, async (log) => {
          by.clock.advance(31_000);
          await by.as().post('/api/mesh/hint').send(log);
        }),
      nextGeneration: async (): Promise<void> => {
        const { config } = a.board.context;
        await a.stop();
        await newGeneration(config, { clock: a.clock });
        await start();
        await confirm();
      },
      confirm,
      /** The address of a mirror that hands on B's answers, but for lies. */
      liar: async (lie: Lie): Promise<string> => {
        const mirror = await httpProxy(b.url, ({ path }, honest) =>
          lie(new URL(path, b.url), honest),
        );
        others.push(mirror);
        return mirror.url;
      },
      stop: async (): Promise<void> => {
        await a.stop();
        for (const other of others) await other.stop();
        await disks.drop();
      },
    };
  };

const databaseOf = (url: string | null) => new URL(url ?? '').pathname.slice(1);

export async function lengthen({ board }: TestBoard): Promise<void> {
  for (let more = 0; more < 300; more += 1) {
    await board.context.ledger.append(async (turn) => {
      turn.append({
        type: 'evidence',
        at: turn.at,
        origin: 'x.example/log',
        kind: 'equivocation',
        evidence: Buffer.alloc(32, more),
      });
      return () => undefined;
    });
  }
}

/** The texts of a database; null where one was removed. */
export async function bodiesIn({
  databaseUrl,
}: Config): Promise<(string | null)[]> {
  const { db, end } = await connected(databaseUrl ?? '');
  const rows = await db.query<{ body: string | null }>(
    'SELECT body FROM message ORDER BY id',
  );
  await end();
  return rows.map(({ body }) => body);
}

/** The sentence of a refusal; empty where there was none. */
export const refusal = (of: Promise<unknown>) =>
  of.then(
    () => '',
    (error: Error) => error.message,
  );
