import { type Clock, utcDay } from '../clock.js';
import type { Sql } from '../db/sql.js';
import type { NetworkKeys } from '../http/rate-limits/write-limits.js';
import type { Logger } from '../logger.js';
import { countRated, writeBatch } from './counters.sql.js';

const BATCH = 1000;

type SessionMark = { day: string; network: Uint8Array; flags: number };
type Count = {
  day: string;
  operation: string;
  code: string | null;
  total: number;
};

/** At most a thousand sessions; all counts come with the first batch. */
export type Batch = {
  sessions: SessionMark[];
  counts: Count[];
  names: string[];
};

class Pending {
  private readonly sessions = new Map<string, SessionMark>();
  private readonly counts = new Map<string, Count>();
  /** Hashes by day. */
  readonly tickets = new Map<string, Buffer[]>();

  get size(): number {
    return this.sessions.size + this.counts.size + this.tickets.size;
  }

  session(day: string, name: string, network: Uint8Array, flags: number): void {
    const key = `${day} ${name}`;
    const known = this.sessions.get(key)?.flags ?? 0;
    this.sessions.set(key, { day, network, flags: known | flags });
  }

  ticket(day: string, ...hashes: Buffer[]): void {
    const known = this.tickets.get(day);
    if (known === undefined) this.tickets.set(day, hashes);
    else known.push(...hashes);
  }

  count(
    day: string,
    operation: string,
    code: string | null = null,
    times = 1,
  ): void {
    const key = `${day} ${operation} ${code ?? ''}`;
    const total = (this.counts.get(key)?.total ?? 0) + times;
    this.counts.set(key, { day, operation, code, total });
  }

  *batches(): Generator<Batch> {
    const all = [...this.sessions.keys()];
    // At least one batch: counts are written without sessions, too.
    for (let at = 0; at === 0 || at < all.length; at += BATCH) {
      const names = all.slice(at, at + BATCH);
      yield {
        names,
        sessions: names.flatMap((name) => this.sessions.get(name) ?? []),
        counts: at === 0 ? [...this.counts.values()] : [],
      };
    }
  }

  done({ names }: Batch): void {
    for (const name of names) this.sessions.delete(name);
    this.counts.clear();
  }

  takeBack(older: Pending): void {
    for (const [key, mark] of older.sessions) {
      const [, name = ''] = key.split(' ');
      this.session(mark.day, name, mark.network, mark.flags);
    }
    for (const [day, hashes] of older.tickets) this.ticket(day, ...hashes);
    for (const { day, operation, code, total } of older.counts.values()) {
      this.count(day, operation, code, total);
    }
  }
}

const FLUSH_MS = 1000;
/** More is not counted while the database is away. */
const PENDING_MAX = 50_000;

type Parts = { sql: Sql; keys: NetworkKeys; clock: Clock; log: Logger };

/** Writes batches once a second, at `flush` and at `stop`. */
export class Recorder {
  private pending = new Pending();
  private writing: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly parts: Parts) {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.timer.unref();
  }

  /** `name`: this process's hash of the network. False: no more is counted. */
  session(
    day: string,
    name: string,
    network: Uint8Array,
    flags: number,
  ): boolean {
    if (this.isFull()) return false;
    this.pending.session(day, name, network, flags);
    return true;
  }

  operation(name: string): void {
    this.pending.count(this.today(), name);
  }

  /** Its vote is looked up when counts are written. */
  published(ticketHash: Buffer): void {
    if (!this.isFull()) this.pending.ticket(this.today(), ticketHash);
  }

  error(operation: string, code: string): void {
    this.pending.count(this.today(), operation, code);
  }

  /** Never throws: unwritten counts stay for the next time. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private today(): string {
    return utcDay(this.parts.clock.now());
  }

  private async countRatings(taken: Pending): Promise<void> {
    for (const [day, hashes] of taken.tickets) {
      const rated = await countRated(this.parts.sql, hashes);
      taken.tickets.delete(day);
      if (rated > 0) taken.count(day, 'reply_rating_publish', null, rated);
    }
  }

  private isFull(): boolean {
    return this.pending.size >= PENDING_MAX;
  }

  private async write(): Promise<void> {
    if (this.pending.size === 0) return;
    const taken = this.pending;
    this.pending = new Pending();
    try {
      await this.countRatings(taken);
      for (const batch of taken.batches()) {
        await writeBatch(this.parts, batch);
        taken.done(batch);
      }
    } catch (error) {
      this.parts.log.warn({ err: error }, 'telemetry could not be written');
      this.pending.takeBack(taken);
    }
  }
}
