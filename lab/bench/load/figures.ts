/** What a load measured; times in ms. */
export type LoadFigures = {
  count: number;
  /** Answers that were not what was asked for. */
  failures: number;
  perSecond: number;
  bytes: number;
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
export class Tally {
  private readonly times: number[] = [];
  private failures = 0;
  private bytes = 0;
  private readonly cpu = process.cpuUsage();
  private readonly begun = performance.now();

  add(ms: number, bytes = 0): void {
    this.times.push(ms);
    this.bytes += bytes;
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
      bytes: this.bytes,
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      p99: quantile(sorted, 0.99),
      cpuMs: (user + system) / 1000,
      wallMs,
    };
  }
}

/** Runs `clients` loops side by side until the time is over. */
export async function forSeconds(
  clients: number,
  seconds: number,
  loop: (client: number, tally: Tally, until: number) => Promise<void>,
): Promise<LoadFigures> {
  const tally = new Tally();
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, (_, client) => loop(client, tally, until)),
  );
  return tally.figures();
}
