import type { Response } from 'express';
import type { Events, Subscription } from '../events.js';

/** One request that is held open until its end. */
export type Hold = {
  /** Time ran out, the client is gone, or the board stops. */
  readonly over: boolean;
  /** Resolves at the next new message, or at the end. */
  subscribe(): Subscription;
  /** Takes back its timer and listeners; always call it. */
  release(): void;
};

/** The held requests of a board. They all end when the board stops. */
export class HeldRequests {
  private readonly ends = new Set<() => void>();

  constructor(
    private readonly events: Events,
    private readonly stopping: AbortSignal,
  ) {
    const endAll = () => {
      for (const end of this.ends) end();
    };
    stopping.addEventListener('abort', endAll, { once: true });
  }

  /** `ms` is null for a request that lasts as long as its client. */
  hold(res: Response, ms: number | null): Hold {
    let current: Subscription | null = null;
    let over = this.stopping.aborted || res.destroyed;
    const end = () => {
      over = true;
      current?.close();
    };
    const timer = ms === null ? undefined : setTimeout(end, ms);
    res.once('close', end);
    this.ends.add(end);
    return {
      get over() {
        return over;
      },
      subscribe: () => {
        current?.close();
        current = this.events.subscribe('messages');
        if (over) current.close();
        return current;
      },
      release: () => {
        clearTimeout(timer);
        res.off('close', end);
        this.ends.delete(end);
        current?.close();
      },
    };
  }
}
