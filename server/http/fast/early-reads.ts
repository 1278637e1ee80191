import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.js';
import type { Metrics } from '../../stats/metrics.js';
import { isUnnamed, requestNetwork } from '../network.js';
import type { Left } from '../rate-limits/policies.js';
import { type EarlyRead, requestState } from '../request-state.js';

const READS = 'reads_per_network_minute';

type Parts = Pick<Context, 'readLimiter' | 'trustedProxies' | 'stopping'> & {
  /** Counts a read whose answer is over, as those of the app are counted. */
  record: (req: IncomingMessage, network: Uint8Array) => void;
  /** Null when nobody asks how long answers took. */
  time: null | Metrics['timed'];
};

/**
 * Reads that are answered before the app is entered: limits and counters are
 * those of the app (spec/board.md §2.21). What ends in an error is left to it.
 */
export class EarlyReads {
  private readonly over: (this: ServerResponse) => void;

  constructor(private readonly parts: Parts) {
    // The same for all: of answers that are waited for, thousands are open.
    this.over = function over(this: ServerResponse) {
      const { earlyRead } = requestState(this.req);
      if (earlyRead !== null) parts.record(this.req, earlyRead.network);
    };
  }

  /** Whether a request has no body that had to be dealt with. */
  isPlain({ headers }: IncomingMessage): boolean {
    if (this.parts.stopping.aborted) return false;
    return !('content-length' in headers || 'transfer-encoding' in headers);
  }

  /** Counts a read; null where the app has to find the error and answer it. */
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

  /** Counts an answer as more reads than one. */
  takeMore({ network, left }: EarlyRead, more: number): Left {
    return this.parts.readLimiter.takeMore(READS, network, left, more);
  }

  /** Takes the counting back: the app is entered after all. */
  undo(res: ServerResponse, network: Uint8Array): void {
    this.parts.readLimiter.giveBack(READS, network);
    requestState(res.req).earlyRead = null;
  }
}
