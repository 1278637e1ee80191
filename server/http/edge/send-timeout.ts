import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isFollowed } from './serialize-pipelined-requests.js';

type Options = {
  /** How long a whole answer may wait for its reader, ms. */
  sendTimeout: number;
  /** How often that is looked after, ms. */
  interval: number;
};

/**
 * Lets go connections whose reader does not take an answer that is ready: what
 * the system's own buffers do not hold would stay in memory for as long as the
 * reader likes, because only requests have a time limit in Node. Answers that
 * were asked for one behind the other share the time: else a reader of none
 * gains it anew with each that those buffers still hold, and the system takes
 * long to fill them. Answers that are written piece by piece have `writeAtPace`.
 *
 * @returns what has to be told of each answer.
 */
export function letGoSlowReaders(
  server: Server,
  { sendTimeout, interval }: Options,
): (res: ServerResponse) => void {
  /** Since when; together with those before it on its connection. */
  const waiting = new Map<ServerResponse, number>();
  /** Of connections that have more to come. */
  const before = new WeakMap<Socket, { since: number; until: number }>();
  const timer = setInterval(() => {
    const late = performance.now() - sendTimeout;
    for (const [res, since] of waiting) {
      if (since > late) continue;
      waiting.delete(res);
      // A plain end would leave the rest with the system, for minutes.
      res.socket?.resetAndDestroy();
    }
  }, interval).unref();
  server.once('close', () => clearInterval(timer));
  // The same two for all: of answers that are waited for, thousands are open.
  function ready(this: ServerResponse): void {
    const now = performance.now();
    const last = before.get(this.req.socket);
    // One that was held meanwhile has a time of its own.
    const goesOn = last !== undefined && now - last.until < sendTimeout;
    waiting.set(this, goesOn ? last.since : now);
  }
  function over(this: ServerResponse): void {
    const since = waiting.get(this);
    waiting.delete(this);
    const { socket } = this.req;
    if (!isFollowed(this)) before.delete(socket);
    else if (since !== undefined) {
      before.set(socket, { since, until: performance.now() });
    }
  }
  return (res) => {
    res.on('prefinish', ready).on('close', over);
  };
}
