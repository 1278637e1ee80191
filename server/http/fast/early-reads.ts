import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUnnamed, requestNetwork } from '../network.js';
import type { Left } from '../rate-limits/policies.js';
import type { ReadLimits } from '../rate-limits/read-limiter.js';
import { type EarlyRead, requestState } from '../request-state.js';

const READS = 'reads_per_network_minute';

type Parts = Omit<ReadLimits, 'limits'> & {
  readonly stopping: AbortSignal;
  /** After the answer, as the app counts. */
  record: (req: IncomingMessage, network: Uint8Array) => void;
  /** Null without metrics. */
  time:
    | null
    | ((
        ...read: [
          method: string,
          route: string,
          res: ServerResponse,
          began: number,
        ]
      ) => void);
};

/** With the app's limits and counters; errors are left to the app. */
export class EarlyReads {
  private readonly over: (this: ServerResponse) => void;

  constructor(private readonly parts: Parts) {
    // Shared: thousands of waits may be open.
    this.over = function over(this: ServerResponse) {
      const { earlyRead } = requestState(this.req);
      if (earlyRead !== null) parts.record(this.req, earlyRead.network);
    };
  }

  /** Without a body. */
  isPlain({ headers }: IncomingMessage): boolean {
    if (this.parts.stopping.aborted) return false;
    return !('content-length' in headers || 'transfer-encoding' in headers);
  }

  /** Null: the app has to answer with an error. */
  take(
    req: IncomingMessage,
    res: ServerResponse,
    route: string,
  ): EarlyRead | null {
    const { readLimiter, trustedProxies, time } = this.parts;
    if (isUnnamed(req, trustedProxies)) return null;
    const began = time === null ? 0 : performance.now();
    let read: EarlyRead;
    try {
      const network = requestNetwork(req, trustedProxies);
      read = { network, left: readLimiter.take(READS, network) };
    } catch {
      return null;
    }
    requestState(req).earlyRead = read;
    res.on('close', this.over);
    if (time === null) return read;
    res.on('close', () => {
      const { earlyRead } = requestState(req);
      if (earlyRead !== null) time(req.method ?? '', route, res, began);
    });
    return read;
  }

  /** Counts an answer as more reads. */
  takeMore({ network, left }: EarlyRead, more: number): Left {
    return this.parts.readLimiter.takeMore(READS, network, left, more);
  }

  /** The app is entered after all. */
  undo(res: ServerResponse, network: Uint8Array): void {
    this.parts.readLimiter.giveBack(READS, network);
    requestState(res.req).earlyRead = null;
  }
}
