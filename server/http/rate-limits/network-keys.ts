import { createHmac, randomBytes } from 'node:crypto';
import { type Clock, utcDay } from '../../clock.js';
import type { Sql } from '../../db/sql.js';

const DAY_MS = 86_400_000;

/** The counter names of one network around one day (spec/board.md §1.9). */
export type CounterKeys = {
  /** UTC day, `YYYY-MM-DD`, that `today` belongs to. */
  day: string;
  yesterday: Buffer;
  today: Buffer;
  /** For tickets that live across the next midnight. */
  tomorrow: Buffer;
};

/** A network's name for another board, by UTC day. */
export type RelayTags = { day: string; today: Buffer; tomorrow: Buffer };

const RELAY_USE = 'reserve-board/relay-network/v1';

/**
 * Turns a network into counter names under rotating day keys. The keys are
 * random, live in the database for all processes and are erased by a job when
 * no window can need them.
 */
export class NetworkKeys {
  private readonly cache = new Map<string, Buffer>();
  /** A connection's requests share their network (`requestNetwork`). */
  private readonly known = new WeakMap<Uint8Array, CounterKeys>();

  constructor(
    private readonly db: Sql,
    private readonly clock: Clock,
  ) {}

  async counterKeys(network: Uint8Array): Promise<CounterKeys> {
    const now = this.clock.now();
    const day = utcDay(now);
    const known = this.known.get(network);
    if (known?.day === day) return known;
    const keys = [now - DAY_MS, now, now + DAY_MS].map(utcDay);
    const [yesterday, today, tomorrow] = await this.dayKeys(keys);
    const name = (key: Buffer | undefined) =>
      createHmac('sha256', key ?? Buffer.alloc(0))
        .update(network)
        .digest();
    const named = {
      day,
      yesterday: name(yesterday),
      today: name(today),
      tomorrow: name(tomorrow),
    };
    this.known.set(network, named);
    return named;
  }

  /**
   * What another board may tell a network by, so that it can limit it without
   * learning it (spec/mesh.md §B10): 16 bytes under secrets of their own,
   * today's and the next UTC day's.
   */
  async relayTags(network: Uint8Array): Promise<RelayTags> {
    const now = this.clock.now();
    const days = [now - DAY_MS, now, now + DAY_MS].map(utcDay);
    const tags = (await this.dayKeys(days)).map((key) => {
      const secret = createHmac('sha256', key).update(RELAY_USE).digest();
      return createHmac('sha256', secret)
        .update(network)
        .digest()
        .subarray(0, 16);
    });
    const [, today = Buffer.alloc(16), tomorrow = today] = tags;
    return { day: utcDay(now), today, tomorrow };
  }

  private async dayKeys(days: string[]): Promise<Buffer[]> {
    const missing = days.filter((day) => !this.cache.has(day));
    if (missing.length > 0) {
      const made = missing.map(() => randomBytes(32));
      await this.db.query(
        `INSERT INTO day_key (day, key)
         SELECT * FROM unnest($1::text[], $2::bytea[])
         ON CONFLICT (day) DO NOTHING`,
        [missing, made],
      );
      const rows = await this.db.query<{ day: string; key: Buffer }>(
        'SELECT day, key FROM day_key WHERE day = ANY($1)',
        [missing],
      );
      for (const row of rows) this.cache.set(row.day, row.key);
      this.forgetOldDays(days[0] ?? '');
    }
    return days.map((day) => this.cache.get(day) ?? Buffer.alloc(0));
  }

  private forgetOldDays(oldest: string): void {
    for (const day of this.cache.keys()) {
      if (day < oldest) this.cache.delete(day);
    }
  }
}
