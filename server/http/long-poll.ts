import type { Request, Response } from 'express';
import type { Context } from '../context.js';
import type { Channel } from '../db/events.js';
import { requestNetwork } from './network.js';
import type { Places } from './rate-limits/policies.js';
import { requestState } from './request-state.js';

/**
 * Holds requests until there is something to answer. Made once per board and
 * channel: it wakes its waiters when the board stops. `places`: whose limits
 * of waits count (spec/board.md §2.21, spec/mesh.md §B11).
 */
export class LongPoll {
  constructor(
    private readonly ctx: Context,
    private readonly channel: Channel,
    private readonly places: Places = 'board',
  ) {
    const wakeAll = () => ctx.events.emit(channel);
    ctx.stopping.addEventListener('abort', wakeAll, { once: true });
  }

  /**
   * Looks, and looks again at every hint until `found`, for at most `seconds`;
   * answers what the last look saw. It subscribes before it looks, so nothing
   * that commits in between is missed. Only who has to wait takes a place.
   * @throws BoardError `rate_limited` when there is no place left to wait.
   */
  async until<T>(
    req: Request,
    res: Response,
    seconds: number,
    look: () => Promise<T>,
    found: (seen: T) => boolean,
  ): Promise<T> {
    const { events, readLimiter, stopping, trustedProxies } = this.ctx;
    let current = events.subscribe(this.channel);
    let over = res.destroyed;
    const end = () => {
      over = true;
      current.close();
    };
    const timer = setTimeout(end, seconds * 1000);
    let leave = () => {};
    res.once('close', end);
    try {
      let seen = await look();
      if (found(seen) || seconds === 0) return seen;
      requestState(req).leaveTurn();
      const network = requestNetwork(req, trustedProxies);
      readLimiter.enterWait(network, this.places);
      leave = () => readLimiter.leaveWait(network, this.places);
      while (!over && !stopping.aborted) {
        await current.woken;
        if (over || stopping.aborted) break;
        current = events.subscribe(this.channel);
        seen = await look();
        if (found(seen)) break;
      }
      return seen;
    } finally {
      clearTimeout(timer);
      res.off('close', end);
      current.close();
      leave();
    }
  }
}
