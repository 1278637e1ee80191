/** So many of one name wait; no person has more under way. */
const WAITING_MAX = 64;

/**
 * Does what has one name in turn, and what has another name meanwhile. What
 * waits here holds no connection of the database: a network that guesses has
 * one of them at a time, however many guesses it sends at once.
 */
export class Turns {
  private readonly lines = new Map<
    string,
    { length: number; last: Promise<unknown> }
  >();

  /** Null where too many wait; then the work is not done. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    const line = this.lines.get(name) ?? {
      length: 0,
      last: Promise.resolve(),
    };
    if (line.length > WAITING_MAX) return null;
    this.lines.set(name, line);
    line.length += 1;
    const mine = line.last.then(work, work);
    line.last = mine;
    try {
      return await mine;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(name);
    }
  }
}
