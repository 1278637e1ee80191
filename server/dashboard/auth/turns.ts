/** More than one person needs. */
const WAITING_MAX = 64;

/** One at a time per name; waiting takes no database connection. */
export class Turns {
  private readonly lines = new Map<
    string,
    { length: number; last: Promise<unknown> }
  >();

  /** Null: too many wait. */
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
