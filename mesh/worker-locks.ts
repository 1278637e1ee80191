import type pg from 'pg';
import { type Connection, openSession } from '../server/db/session.js';
import { releaseWorkerLock, tryWorkerLock } from './pull/store/peer.sql.js';

/**
 * Advisory locks: one process pulls a peer. They end with the connection, and
 * so do the workers; the cursor's compare-and-swap covers the gap.
 */
export class WorkerLocks {
  private client: pg.Client | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly connection: Connection,
    private readonly onLost: () => void,
  ) {}

  /** False: another process has the peer. */
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

  /** A connection runs one statement at a time. */
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
