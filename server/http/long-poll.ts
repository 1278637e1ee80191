import type { Request, Response } from 'express';
import type { Channel, Events, Subscription } from '../db/events.js';
import { requestNetwork } from './network.js';
import type { Places } from './rate-limits/policies.js';
import type { ReadLimits } from './rate-limits/read-limiter.js';
import { requestState } from './request-state.js';

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

  private readonly channels: readonly Channel[];

  constructor(
    private readonly ctx: Held,
    channels: Channel | readonly Channel[],
    private readonly places: Places = 'board',
  ) {
    this.channels = [channels].flat();
    const endAll = () => {
      for (const end of this.ends) end();
    };
    ctx.stopping.addEventListener('abort', endAll, { once: true });
  }

  hold(req: Request, res: Response, seconds: number | null): Hold {
    return new Hold(this.ctx, this.places, this.ends, req, res, seconds);
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
    const hold = this.hold(req, res, seconds);
    const subscribe = () => hold.keep(this.subscribe());
    try {
      let { woken } = subscribe();
      let seen = await look();
      if (found(seen) || seconds === 0) return seen;
      hold.takePlace();
      while (!hold.over) {
        await woken;
        if (hold.over) break;
        ({ woken } = subscribe());
        seen = await look();
        if (found(seen)) break;
      }
      return seen;
    } finally {
      hold.release();
    }
  }

  /** To the next wake-up of any channel. */
  private subscribe(): Subscription {
    const all = this.channels.map((one) => this.ctx.events.subscribe(one));
    return {
      woken: Promise.race(all.map(({ woken }) => woken)),
      close: () => {
        for (const one of all) one.close();
      },
    };
  }
}

/** A request that waits. A class: thousands weigh what one of them does. */
export class Hold {
  private current: { close(): void } | null = null;
  private network: Uint8Array | null = null;
  private isOver: boolean;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ctx: Held,
    private readonly places: Places,
    private readonly ends: Set<() => void>,
    private readonly req: Request,
    private readonly res: Response,
    seconds: number | null,
  ) {
    this.isOver = ctx.stopping.aborted || res.destroyed;
    if (seconds !== null) this.timer = setTimeout(this.end, seconds * 1000);
    res.on('close', this.end);
    ends.add(this.end);
  }

  /** The client is gone, the time is up, or the board stops. */
  get over(): boolean {
    return this.isOver;
  }

  private readonly end = () => {
    this.isOver = true;
    this.current?.close();
  };

  /** Closes it then; one at a time. */
  keep<S extends { close(): void }>(subscription: S): S {
    this.current?.close();
    this.current = subscription;
    if (this.isOver) subscription.close();
    return subscription;
  }

  /** @throws BoardError `rate_limited` without a free place */
  takePlace(): void {
    const { readLimiter, trustedProxies } = this.ctx;
    requestState(this.req).leaveTurn();
    const network = requestNetwork(this.req, trustedProxies);
    readLimiter.enterWait(network, this.places);
    this.network = network;
  }

  /** Always call it: removes listeners and leaves the place. */
  release(): void {
    clearTimeout(this.timer);
    this.res.off('close', this.end);
    this.ends.delete(this.end);
    this.current?.close();
    if (this.network === null) return;
    this.ctx.readLimiter.leaveWait(this.network, this.places);
  }
}
