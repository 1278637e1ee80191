import type { Server, ServerResponse } from 'node:http';

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
 * are written piece by piece have `writeAtPace`.
 *
 * @returns what has to be told of each answer.
 */
export function letGoSlowReaders(
  server: Server,
  { sendTimeout, interval }: Options,
): (res: ServerResponse) => void {
  // In the order in which they began to wait.
  const waiting = new Map<ServerResponse, number>();
  const timer = setInterval(() => {
    const late = performance.now() - sendTimeout;
    for (const [res, since] of waiting) {
      if (since > late) break;
      waiting.delete(res);
      // A plain end would leave the rest with the system, for minutes.
      res.socket?.resetAndDestroy();
    }
  }, interval).unref();
  server.once('close', () => clearInterval(timer));
  // The same two for all: of answers that are waited for, thousands are open.
  function ready(this: ServerResponse): void {
    waiting.set(this, performance.now());
  }
  function over(this: ServerResponse): void {
    waiting.delete(this);
  }
  return (res) => {
    res.on('prefinish', ready).on('close', over);
  };
}
