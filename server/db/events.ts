/**
 * In-process wake-ups: hints to read again. A waiter subscribes, then reads,
 * then waits, so it misses no commit. Commits of other processes arrive by
 * NOTIFY.
 */
export type Channel =
  | 'messages'
  | 'log'
  | 'polls'
  | 'hidden'
  | 'mirror'
  | 'peers'
  | 'relays'
  /** Events of dashboards have been numbered. */
  | 'admin';

export type Subscription = {
  /** Resolves at the next wake-up of the channel, or when closed. */
  woken: Promise<void>;
  close(): void;
};

/** Waiters of a channel that are woken together. */
export type Crowd = {
  readonly waiters: ReadonlySet<unknown>;
  /** Not called while there are none. */
  wake(): void;
};

export class Events {
  private readonly waiting = new Map<Channel, Set<() => void>>();
  private readonly crowds = new Map<Channel, Crowd[]>();
  private readonly emitted = new Map<Channel, number>();

  emit(channel: Channel): void {
    const wakers = this.waiting.get(channel);
    this.waiting.delete(channel);
    for (const wake of wakers ?? []) wake();
    this.emitted.set(channel, this.count(channel) + 1);
    for (const crowd of this.crowds.get(channel) ?? []) {
      if (crowd.waiters.size > 0) crowd.wake();
    }
  }

  /** Of wake-ups until now. */
  count(channel: Channel): number {
    return this.emitted.get(channel) ?? 0;
  }

  gather(channel: Channel, crowd: Crowd): void {
    this.crowds.set(channel, [...(this.crowds.get(channel) ?? []), crowd]);
  }

  subscribe(channel: Channel): Subscription {
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const wakers = this.waiting.get(channel) ?? new Set();
    this.waiting.set(channel, wakers.add(wake));
    return {
      woken,
      close: () => {
        this.waiting.get(channel)?.delete(wake);
        wake();
      },
    };
  }

  /** For metrics and tests. */
  waiters(channel: Channel): number {
    const crowds = this.crowds.get(channel) ?? [];
    const one = this.waiting.get(channel)?.size ?? 0;
    return crowds.reduce((sum, { waiters }) => sum + waiters.size, one);
  }
}
