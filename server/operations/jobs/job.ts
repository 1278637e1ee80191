/** What a run did, by kind of row: `{tickets: 12}`. */
export type Rows = Readonly<Record<string, number>>;

/** Work that is done again and again by one process at a time. */
export type Job = {
  name: string;
  /** A cron line with seconds, UTC. */
  line: string;
  /** The time between two runs that the line means, in ms. */
  everyMs: number;
  /**
   * One run. It may be stopped between two steps by the signal, and must be
   * able to go on from wherever another run ended.
   */
  run(signal: AbortSignal): Promise<Rows>;
};

export function sumOf(rows: Rows): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}
