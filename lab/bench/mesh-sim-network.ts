import type { PullClient } from '../../mesh/pull/hooks.js';
import { accepted, refused } from '../../protocol/verdict.js';
import type { MemoryLog } from '../../test/mesh/support/memory-log.js';

/** What passed over all links since the last reset. */
export type Traffic = { requests: number; pages: number; bytes: number };

type Place = {
  log: MemoryLog;
  /** How many links what it holds has crossed, pages in a row included. */
  rounds: number;
};

/** The links between simulated nodes; each is there or it is not. */
export class SimNetwork {
  readonly traffic: Traffic = { requests: 0, pages: 0, bytes: 0 };
  private readonly places: Place[] = [];
  private side: ReadonlySet<number> | null = null;
  private breakAll = () => {};
  private broken = this.unbroken();

  constructor(
    private readonly isLinked: (from: number, to: number) => boolean,
  ) {}

  static url(node: number): string {
    return `http://node-${node}.sim`;
  }

  join(log: MemoryLog): void {
    this.places.push({ log, rounds: 0 });
  }

  /** Links between the two sides go, and what waits on them fails. */
  split(side: ReadonlySet<number>): void {
    this.side = side;
    this.breakAll();
    this.broken = this.unbroken();
  }

  heal(): void {
    this.side = null;
  }

  reset(): void {
    Object.assign(this.traffic, { requests: 0, pages: 0, bytes: 0 });
    for (const place of this.places) place.rounds = 0;
  }

  /** The longest way that anything had to go. */
  get rounds(): number {
    return Math.max(...this.places.map(({ rounds }) => rounds));
  }

  /** A node's way out, in the place of HTTP. */
  client(from: number): PullClient {
    return {
      get: async (baseUrl, path, { signal } = {}) => {
        const to = Number(/node-(\d+)\.sim$/.exec(baseUrl)?.[1]);
        this.traffic.requests += 1;
        const query = new URL(path, baseUrl).searchParams;
        const number = (name: string) => Number(query.get(name));
        const [start, limit] = [number('from'), number('limit')];
        const [here, there] = [this.places[from], this.places[to]];
        if (here === undefined || there === undefined || !this.isUp(from, to)) {
          return refused('unreachable');
        }
        const { log } = there;
        const stopped = ended(signal);
        while (
          number('wait') > 0 &&
          log.head?.size === start &&
          this.isUp(from, to) &&
          signal?.aborted !== true
        ) {
          await log.grown(Promise.race([this.broken, stopped]));
        }
        if (signal?.aborted === true) return refused('stopped');
        const page = this.isUp(from, to) ? log.page(start, limit) : null;
        if (page === null) return refused('unreachable');
        const body = Buffer.from(page, 'utf8');
        this.traffic.bytes += body.length;
        if ((log.head?.size ?? 0) > start) {
          this.traffic.pages += 1;
          here.rounds = Math.max(here.rounds, there.rounds) + 1;
        }
        return accepted({ status: 200, body });
      },
    };
  }

  private isUp(from: number, to: number): boolean {
    if (!this.isLinked(from, to)) return false;
    return this.side === null || this.side.has(from) === this.side.has(to);
  }

  private unbroken(): Promise<void> {
    return new Promise((resolve) => {
      this.breakAll = resolve;
    });
  }
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
