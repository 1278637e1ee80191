import type { Pool, QueryResultRow } from 'pg';
import { cutOff, type Held, hold, packing, run, type Sql } from './sql.js';

/** Connections, kept as long as they work; few, so that many share one. */
export const LANES = 4;
/** Statements on the way on one connection; others wait for an answer. */
const DEPTH = 64;
/** Who waited so long before being sent is refused, as the pool would. */
const WAIT_MS = 2000;
/** Whoever waited so long when a lane gave up tries no other. */
const PATIENCE_MS = 500;
/** Where no further connection can be made, one is tried so often. */
const RETRY_MS = 500;
/** A lock or a statement that took too long: who stands behind it waits too. */
const STUCK = /^(?:55P03|57014)$/;

/** The statement whose preparation failed, asked for again behind it. */
const UNPREPARED = '26000';

type Ask = {
  text: string;
  values: readonly unknown[] | undefined;
  since: number;
  resolve: (rows: QueryResultRow[]) => void;
  refuse: (error: unknown) => void;
};

/** A connection and what is on the way on it. */
type Lane = {
  held: Held;
  pack: () => void;
  load: number;
  /** What failed first; such a lane takes nothing more. */
  cause: unknown;
};

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

/**
 * Short statements that many readers ask at once. They are sent one behind the
 * other over a few connections, and what arrives in one turn of the loop leaves
 * in one packet: of what a small read costs, most is waking the other side. Not
 * for statements that may take long: those behind would wait.
 *
 * A statement that fails fails alone, unless its connection is lost or it was
 * stuck behind a lock: then all that were sent behind it fail with it, and so
 * nobody waits longer than one lock or statement may.
 */
export class Lookups implements Sql {
  private readonly lanes = new Set<Lane>();
  private opening = 0;
  /** When a connection could not be made; null after one that could. */
  private failedAt: number | null = null;
  private waiting: Ask[] = [];
  private isDue = false;
  private isClosed = false;

  /** @param pool of `LANES` connections that are pipelines, for this alone. */
  constructor(
    private readonly pool: Pool,
    private readonly patience = 1,
  ) {}

  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        text,
        values,
        since: performance.now(),
        resolve: resolve as Ask['resolve'],
        refuse: reject,
      });
      if (this.isDue) return;
      this.isDue = true;
      setImmediate(() => {
        this.isDue = false;
        this.send();
      });
    });
  }

  /** Ends its connections, each once nothing is on the way on it. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const lane of this.lanes) this.giveUp(lane, new Error(ENDED));
    await this.pool.end();
  }

  private send(): void {
    let sent = 0;
    let behind = 0;
    for (const ask of this.waiting) {
      const lane = this.freest();
      if (lane === null) break;
      sent += 1;
      if (lane.load > 0) behind += 1;
      void this.ask(lane, ask);
    }
    this.waiting.splice(0, sent);
    if (this.waiting.length > 0) {
      this.refuse(WAIT_MS * this.patience, new Error(BUSY));
    }
    const more = Math.min(this.waiting.length + behind, this.room());
    for (let n = 0; n < more; n += 1) void this.open();
  }

  /** The lane with the least to do; a busy one once no further can open. */
  private freest(): Lane | null {
    let freest: Lane | null = null;
    for (const lane of this.lanes) {
      if (lane.cause !== null) continue;
      if (freest === null || lane.load < freest.load) freest = lane;
    }
    if (freest === null || freest.load === 0) return freest;
    const areAll = this.opening === 0 && this.lanes.size === LANES;
    const mustDo = areAll || this.failedAt !== null;
    return mustDo && freest.load < DEPTH ? freest : null;
  }

  private isAnyLeft(): boolean {
    for (const { cause } of this.lanes) if (cause === null) return true;
    return false;
  }

  /** How many connections may be tried now. */
  private room(): number {
    const room = LANES - this.lanes.size - this.opening;
    const { failedAt } = this;
    if (failedAt === null || room === 0 || !this.isAnyLeft()) return room;
    const isEarly = performance.now() - failedAt < RETRY_MS;
    return isEarly || this.opening > 0 ? 0 : 1;
  }

  private async open(): Promise<void> {
    this.opening += 1;
    try {
      const held = await hold(this.pool);
      // The pool waits for it, and nobody else would give it back.
      if (this.isClosed) return held.release(true);
      const pack = packing(held.client);
      const lane: Lane = { held, pack, load: 0, cause: null };
      this.lanes.add(lane);
      this.failedAt = null;
      // One that ends while nothing is on the way would fail the next to ask.
      held.client.once('end', () => this.giveUp(lane, new Error(ENDED)));
    } catch (error) {
      this.failedAt = performance.now();
      // Others are sent on the lanes that there are.
      if (!this.isAnyLeft()) this.refuse(0, error);
    } finally {
      this.opening -= 1;
      this.send();
    }
  }

  private async ask(lane: Lane, ask: Ask): Promise<void> {
    lane.load += 1;
    lane.pack();
    try {
      ask.resolve(await run(lane.held.client, ask.text, ask.values));
    } catch (error) {
      this.giveUp(lane, error);
      ask.refuse(codeOf(error) === UNPREPARED ? lane.cause : error);
    } finally {
      lane.load -= 1;
      if (lane.cause !== null) this.leave(lane);
      if (this.waiting.length > 0) this.send();
    }
  }

  /** It takes no more; another connection is made for who comes next. */
  private giveUp(lane: Lane, error: unknown): void {
    lane.cause ??= error;
    this.leave(lane);
    if (!STUCK.test(codeOf(error))) return;
    cutOff(lane.held.client);
    this.refuse(PATIENCE_MS, error);
  }

  /** Once nothing is on the way on it. */
  private leave(lane: Lane): void {
    if (lane.load > 0 || !this.lanes.delete(lane)) return;
    lane.held.release(true);
  }

  /** Those who have waited so long; the oldest stand first. */
  private refuse(olderThanMs: number, error: unknown): void {
    const since = performance.now() - olderThanMs;
    const kept = this.waiting.findIndex((ask) => ask.since > since);
    const late = kept === -1 ? this.waiting.length : kept;
    for (const ask of this.waiting.splice(0, late)) ask.refuse(error);
  }
}

/** In the words of pg and its pool, which are known to mean 503. */
const BUSY = 'timeout exceeded when trying to connect';
const ENDED = 'Connection terminated';
