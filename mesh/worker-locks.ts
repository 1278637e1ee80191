import type pg from 'pg';
import { type Connection, openSession } from '../server/db/session.js';

/** First half of the advisory lock's key; the second is the origin id. */
const WORKER = 730_521_815;

/**
 * The session that holds this process's workers' locks: of several processes
 * on one database one pulls a peer. The locks go with the connection, so its
 * loss ends the workers; the cursor's compare-and-swap covers the moment
 * between.
 */
export class WorkerLocks {
  private client: pg.Client | null = null;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: Connection,
    private readonly onLost: () => void,
  ) {}

  /** Whether this process may work on the peer. */
  async take(originId: number): Promise<boolean> {
    return await this.inTurn(async () => {
      const client = await this.session();
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock($1, $2) AS taken',
        [WORKER, originId],
      );
      return rows[0]?.taken === true;
    });
  }

  async release(originId: number): Promise<void> {
    await this.inTurn(async () => {
      await this.client
        ?.query('SELECT pg_advisory_unlock($1, $2)', [WORKER, originId])
        .catch(() => undefined); // lost with the connection
    });
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  /** One statement at a time: a connection takes no second one. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.last;
    const mine = before.then(work);
    this.last = mine.then(
      () => undefined,
      () => undefined,
    );
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
