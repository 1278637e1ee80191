type Run<T> = { answer: Promise<T>; fresh: boolean };

/**
 * One read for all equal requests: a message wakes every waiter at once, and
 * most of them want the same page.
 *
 * A request that comes while a read runs may know of a commit that this read
 * does not see, so it shares the next one. Of each read at most one runs and
 * one waits.
 */
export class SharedReads<T> {
  private readonly running = new Map<string, Run<T>>();
  private readonly next = new Map<string, Promise<T>>();

  get(key: string, read: () => Promise<T>): Promise<T> {
    const current = this.running.get(key);
    if (current === undefined) return this.run(key, read);
    if (current.fresh) return current.answer;
    const waiting = this.next.get(key);
    if (waiting !== undefined) return waiting;
    const start = () => {
      this.next.delete(key);
      return this.run(key, read);
    };
    const made = current.answer.then(start, start);
    this.next.set(key, made);
    return made;
  }

  private run(key: string, read: () => Promise<T>): Promise<T> {
    const run: Run<T> = { answer: read(), fresh: true };
    this.running.set(key, run);
    // Until then the statement has not been sent.
    process.nextTick(() => {
      run.fresh = false;
    });
    const over = () => {
      if (this.running.get(key) === run) this.running.delete(key);
    };
    run.answer.then(over, over);
    return run.answer;
  }
}
