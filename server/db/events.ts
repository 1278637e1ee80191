/**
 * In-process wake-ups. A wake-up is only a hint ("look again"): a waiter
 * subscribes first, reads the database second and waits third, so it misses
 * nothing that commits in between. Commits of other processes arrive through
 * PostgreSQL's NOTIFY (`db/notifications.ts`) as the same hints.
 */
export type Channel =
  | 'messages'
  | 'log'
  | 'polls'
  | 'hidden'
  /** A mirrored log has grown. */
  | 'mirror'
  /** Settings of peers have changed. */
  | 'peers'
  /** The outcome of a post for another board. */
  | 'relays'
  /** Events of dashboards have been numbered. */
  | 'admin';

export type Subscription = {
  /** Resolves at the next wake-up of the channel, or when closed. */
  woken: Promise<void>;
  close(): void;
};

/** Many waiters of a channel, woken as one each time. */
export type Crowd = {
  readonly size: number;
  wake(): void;
};

export class Events {
  private readonly waiting = new Map<Channel, Set<() => void>>();
  private readonly crowds = new Map<Channel, Crowd[]>();

  /** Wakes every waiter of the channel. */
  emit(channel: Channel): void {
    const wakers = this.waiting.get(channel);
    this.waiting.delete(channel);
    for (const wake of wakers ?? []) wake();
    for (const crowd of this.crowds.get(channel) ?? []) crowd.wake();
  }

  /** Wakes the crowd at every wake-up of the channel. */
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

  /** How many waiters a channel has (metrics, tests). */
  waiters(channel: Channel): number {
    const crowds = this.crowds.get(channel) ?? [];
    const one = this.waiting.get(channel)?.size ?? 0;
    return crowds.reduce((sum, { size }) => sum + size, one);
  }
}
