/** What a load measured; times in ms. */
export type LoadFigures = {
  count: number;
  failures: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** Processor time of the load itself, in ms, and how long it took. */
  cpuMs: number;
  wallMs: number;
};

/** The value below which this share of sorted values lies. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[at] ?? 0;
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Times of a load, counted only after it has warmed up. */
class Tally {
  private readonly times: number[] = [];
  private failures = 0;
  private readonly cpu = process.cpuUsage();
  private readonly begun = performance.now();

  add(ms: number): void {
    this.times.push(ms);
  }

  fail(): void {
    this.failures += 1;
  }

  figures(): LoadFigures {
    const wallMs = performance.now() - this.begun;
    const { user, system } = process.cpuUsage(this.cpu);
    const sorted = Float64Array.from(this.times).sort();
    return {
      count: sorted.length,
      failures: this.failures,
      perSecond: sorted.length / (wallMs / 1000),
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      p99: quantile(sorted, 0.99),
      cpuMs: (user + system) / 1000,
      wallMs,
    };
  }
}

export type Client = {
  /** Does the next thing; answers whether that went well. */
  next(): Promise<boolean>;
  close(): unknown;
};

export async function forSeconds(
  seconds: number,
  count: number,
  open: (n: number) => Promise<Client>,
): Promise<LoadFigures> {
  const clients = await Promise.all(
    Array.from({ length: count }, (_, n) => open(n)),
  );
  try {
    const tally = new Tally();
    const until = performance.now() + seconds * 1000;
    await Promise.all(
      clients.map(async (client) => {
        for (let now = performance.now(); now < until; ) {
          const begun = now;
          const isGood = await client.next();
          now = performance.now();
          if (isGood) tally.add(now - begun);
          else tally.fail();
        }
      }),
    );
    return tally.figures();
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** How far each load begins behind the last one. */
const STEP = 700;
let begun = 0;

/** Each client begins elsewhere, and the next load where nothing is warm. */
export function walks<T>(things: readonly T[], clients: number): (() => T)[] {
  begun += STEP;
  return Array.from({ length: clients }, (_, n) => {
    let at = Math.floor((things.length / clients) * n) + begun;
    return () => things[at++ % things.length] as T;
  });
}
