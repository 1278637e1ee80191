import type pg from 'pg';
import { type Connection, openSession } from '../server/db/session.js';
import { releaseWorkerLock, tryWorkerLock } from './pull/store/peer.sql.js';

/**
 * The session with this process's workers' locks: of several processes
 * on one database one pulls a peer. The locks go with the connection, so its
 * loss ends the workers; the cursor's compare-and-swap covers the moment
 * between.
 */
export class WorkerLocks {
  private client: pg.Client | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly connection: Connection,
    private readonly onLost: () => void,
  ) {}

  /** Whether this process may work on the peer. */
  async take(originId: number): Promise<boolean> {
    return await this.afterLast(async () =>
      tryWorkerLock(await this.session(), originId),
    );
  }

  async release(originId: number): Promise<void> {
    await this.afterLast(async () => {
      if (this.client === null) return;
      await releaseWorkerLock(this.client, originId).catch(() => {}); // lost
    });
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  /** One statement at a time: a connection takes no second one. */
  private async afterLast<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => {});
    return await mine;
  }

  private async session(): Promise<pg.Client> {
    if (this.client !== null) return this.client;
    const client = await openSession(this.connection, 'reserve-board mesh');
    client.once('end', () => {
      if (this.client !== client) return;
      this.client = null;
      this.onLost();
    });
    this.client = client;
    return client;
  }
}
