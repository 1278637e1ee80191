import { hash, randomBytes } from 'node:crypto';
import { type Clock, utcDay, utcDayStart } from '../clock.js';
import type { Sql } from '../db/sql.js';
import type { NetworkKeys } from '../http/rate-limits/network-keys.js';
import type { Logger } from '../logger.js';
import { Pending } from './pending.js';
import { writeBatch } from './write-batch.js';

const FLUSH_MS = 1000;
/** Networks whose flags of today are remembered; the first ones go. */
const SEEN_MAX = 100_000;
/** What waits for a database that is away; more is not counted. */
const PENDING_MAX = 50_000;

type Parts = { sql: Sql; keys: NetworkKeys; clock: Clock; log: Logger };

/**
 * Counts what requests did, behind them: a request only marks a set in memory
 * and batches follow once a second, at `flush` and at `stop`. Networks are
 * remembered under a key of this process and stored under the day's key.
 */
export class Recorder {
  /** A key of this process, and room for the network that is hashed. */
  private readonly keyed = randomBytes(64);
  private seen = new Map<string, number>();
  private seenDay = '';
  private seenDayStart = Number.NaN;
  /** A connection's requests share their network (`requestNetwork`). */
  private readonly names = new WeakMap<Uint8Array, string>();
  private pending = new Pending();
  private writing: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly parts: Parts) {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.timer.unref();
  }

  /** Adds flags to the network's session of today. */
  session(network: Uint8Array, flags: number): void {
    const day = this.today();
    const name = this.nameOf(network);
    const known = this.seen.get(name) ?? 0;
    if ((known | flags) === known || this.isFull()) return;
    this.seen.set(name, known | flags);
    if (this.seen.size > SEEN_MAX) {
      const [oldest] = this.seen.keys();
      if (oldest !== undefined) this.seen.delete(oldest);
    }
    this.pending.session(day, name, network, flags);
  }

  operation(name: string): void {
    this.pending.operation(this.today(), name);
  }

  /** A ticket that published; whether it rated is asked when writing. */
  published(ticketHash: Buffer): void {
    if (!this.isFull()) this.pending.ticket(this.today(), ticketHash);
  }

  error(operation: string, code: string): void {
    this.pending.error(this.today(), operation, code);
  }

  /**
   * Writes what is counted so far. It never throws: what could not be written
   * stays for the next time.
   */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private today(): string {
    const now = this.parts.clock.now();
    const start = utcDayStart(now);
    if (start !== this.seenDayStart) {
      this.seen = new Map();
      this.seenDay = utcDay(now);
      this.seenDayStart = start;
    }
    return this.seenDay;
  }

  /** What this process calls a network: its address is not kept. */
  private nameOf(network: Uint8Array): string {
    let name = this.names.get(network);
    if (name === undefined) {
      this.keyed.set(network, 32);
      const text = this.keyed.subarray(0, 32 + network.length);
      name = hash('sha256', text, 'base64url').slice(0, 22);
      this.names.set(network, name);
    }
    return name;
  }

  private async countRatings(taken: Pending): Promise<void> {
    for (const [day, hashes] of taken.tickets) {
      const rated = await countRated(this.parts.sql, hashes);
      taken.tickets.delete(day);
      if (rated > 0) taken.operation(day, 'reply_rating_publish', rated);
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

/**
 * How many of the published tickets carried a rating. Their answers say so to
 * their senders only; telemetry asks the drafts, behind the requests.
 */
async function countRated(
  sql: Sql,
  tickets: readonly Buffer[],
): Promise<number> {
  if (tickets.length === 0) return 0;
  const [row] = await sql.query<{ rated: number }>(
    `SELECT count(*) AS rated FROM ticket
     WHERE ticket_hash = ANY($1::bytea[]) AND kind = 'write'
       AND draft #>> '{submitted,vote}' IN ('1', '-1')`,
    [tickets],
  );
  return row?.rated ?? 0;
}
