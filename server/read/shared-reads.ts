/**
 * One read for all who ask the same in the same turn: a message wakes every
 * waiter at once, and most of them want the same page.
 *
 * Only askers of one turn share. Whoever comes later may have been woken by a
 * commit that the running statement does not see.
 */
export class SharedReads<T> {
  private readonly running = new Map<string, Promise<T>>();

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.running.get(key);
    if (known !== undefined) return known;
    const made = read();
    this.running.set(key, made);
    process.nextTick(() => this.running.delete(key));
    return made;
  }
}
