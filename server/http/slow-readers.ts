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
  return (res) => {
    res.once('prefinish', () => waiting.set(res, performance.now()));
    res.once('close', () => waiting.delete(res));
  };
}
