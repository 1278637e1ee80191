type Run<T> = { answer: Promise<T>; fresh: boolean };

/**
 * One read for equal requests: a message wakes all waiters at once. A request
 * during a read shares the next one, since the running one may miss a commit.
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
    // The statement is sent only after this tick.
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
