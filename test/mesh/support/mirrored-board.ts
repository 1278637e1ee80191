import type { Config } from '../../../server/config.js';
import type { TestBoard } from '../../support/board.js';
import { connected } from '../../support/database.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';
import { befriend, nodeOnPort } from '../peers/node-on-port.js';
import { type Lie, LyingMirror } from './lying-mirror.js';
import { NewDisks } from './new-disk.js';
import { withoutAnchors } from './without-anchors.js';

/** A board, another one that mirrors it, and mirrors that lie about that one. */
export class MirroredBoard {
  readonly disks = new NewDisks(() => this.env);
  private readonly liars: LyingMirror[] = [];

  private constructor(
    readonly a: TestBoard,
    readonly b: TestBoard,
    readonly env: Record<string, string>,
  ) {}

  /** @param seed of the first board, as hex digits of a byte. */
  static async make(seed: string): Promise<MirroredBoard> {
    const port = await freePort();
    const env = {
      ...{ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` },
      BOARD_SEED: seed.repeat(32),
    };
    const [a, b] = await Promise.all([nodeOnPort({ env }), nodeOnPort()]);
    await withoutAnchors(a);
    await befriend(a, b);
    await befriend(b, a);
    return new MirroredBoard(a, b, env);
  }

  get name(): string {
    return this.a.board.context.board.name;
  }

  /** Waits until the mirror has all of the log; returns its size. */
  async mirrored(): Promise<number> {
    const { size } = (await this.a.as().get('/api/mesh')).body.log;
    await until('a full mirror', async () => {
      const [peer] = (await this.b.as().get('/api/mesh')).body.peers;
      return peer.mirrored_size >= size;
    });
    return size;
  }

  /** The address of a mirror that hands on the other board's, but for lies. */
  async liar(lie: Lie): Promise<string> {
    const mirror = await LyingMirror.start(this.b.url, lie);
    this.liars.push(mirror);
    return mirror.url;
  }

  async end(): Promise<void> {
    await this.a.stop();
    await this.b.stop();
    for (const liar of this.liars) await liar.stop();
    await this.disks.drop();
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
