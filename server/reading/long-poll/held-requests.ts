import type { Response } from 'express';
import type { Events, Subscription } from '../../db/events.js';

export type Hold = {
  /** The client is gone, or the board stops. */
  readonly over: boolean;
  /** Resolves at the next message or the end. */
  subscribe(): Subscription;
  /** Always call it: removes listeners. */
  release(): void;
};

/** They end when the board stops. */
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

  hold(res: Response): Hold {
    let current: Subscription | null = null;
    let over = this.stopping.aborted || res.destroyed;
    const end = () => {
      over = true;
      current?.close();
    };
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
        res.off('close', end);
        this.ends.delete(end);
        current?.close();
      },
    };
  }
}
