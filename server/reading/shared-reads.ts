type Run<T> = { answer: Promise<T>; fresh: boolean };

/**
 * One read for all who ask the same: a message wakes every waiter at once, and
 * most of them want the same page.
 *
 * Whoever asks while a read runs may know of a commit that it does not see, so
 * it shares the one that follows. Of each read one runs and one waits at most.
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
    // Until the end of this turn the statement has not left.
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
