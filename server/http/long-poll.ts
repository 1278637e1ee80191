import type { Request, Response } from 'express';
import type { Channel, Events, Subscription } from '../db/events.js';
import { requestNetwork } from './network.js';
import type { Places } from './rate-limits/policies.js';
import type { ReadLimits } from './rate-limits/read-limiter.js';
import { requestState } from './request-state.js';

export type Hold = {
  /** The client is gone, or the board stops. */
  readonly over: boolean;
  /** Resolves at the next event of the channel or the end. */
  subscribe(): Subscription;
  end(): void;
  /** Always call it: removes listeners. */
  release(): void;
};

type Held = Omit<ReadLimits, 'limits'> & {
  readonly events: Events;
  readonly stopping: AbortSignal;
};

/**
 * Holds requests until there is something to answer, or the board stops; one per
 * board and channel. `places`: whose limits of waits count (spec/board.md §2.21,
 * spec/mesh.md §B11).
 */
export class LongPoll {
  private readonly ends = new Set<() => void>();

  constructor(
    private readonly ctx: Held,
    private readonly channel: Channel,
    private readonly places: Places = 'board',
  ) {
    const endAll = () => {
      for (const end of this.ends) end();
    };
    ctx.stopping.addEventListener('abort', endAll, { once: true });
  }

  hold(res: Response): Hold {
    const { events, stopping } = this.ctx;
    let current: Subscription | null = null;
    let over = stopping.aborted || res.destroyed;
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
        current = events.subscribe(this.channel);
        if (over) current.close();
        return current;
      },
      end,
      release: () => {
        res.off('close', end);
        this.ends.delete(end);
        current?.close();
      },
    };
  }

  /**
   * Looks at each hint until `found`, for at most `seconds`; returns the last
   * result. Subscribes first, so it misses no commit; takes a place only if it
   * has to wait.
   * @throws BoardError `rate_limited` without a free place
   */
  async until<T>(
    req: Request,
    res: Response,
    seconds: number,
    look: () => Promise<T>,
    found: (seen: T) => boolean,
  ): Promise<T> {
    const { readLimiter, trustedProxies } = this.ctx;
    const hold = this.hold(res);
    const timer = setTimeout(hold.end, seconds * 1000);
    let leave = () => {};
    try {
      let { woken } = hold.subscribe();
      let seen = await look();
      if (found(seen) || seconds === 0) return seen;
      requestState(req).leaveTurn();
      const network = requestNetwork(req, trustedProxies);
      readLimiter.enterWait(network, this.places);
      leave = () => readLimiter.leaveWait(network, this.places);
      while (!hold.over) {
        await woken;
        if (hold.over) break;
        ({ woken } = hold.subscribe());
        seen = await look();
        if (found(seen)) break;
      }
      return seen;
    } finally {
      clearTimeout(timer);
      hold.release();
      leave();
    }
  }
}
