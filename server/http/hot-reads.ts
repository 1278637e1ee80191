import type {
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import type { Context } from '../context.js';
import type { Metrics } from '../metrics.js';
import { matchesEtag } from './conditional.js';
import type { KeptAnswer } from './kept-answers.js';
import { standingItem } from './rate-limit-headers.js';
import { requestNetwork } from './request-network.js';

const READS = 'reads_per_network_minute';

type Parts = Pick<
  Context,
  'keptAnswers' | 'readLimiter' | 'trustedProxies' | 'stopping'
> & {
  /** Counts a read whose answer is over, as those of the app are counted. */
  record: (req: IncomingMessage, network: Uint8Array) => void;
  /** Null when nobody asks how long answers took. */
  time: null | Metrics['timed'];
};

/**
 * Serves kept answers before the app is entered, and leaves to it whatever is
 * not a plain read of one: also what ends in an error. Limits, counters and
 * headers are those of the app (decisions 1.7, 2.21).
 */
export function hotReads(app: RequestListener, parts: Parts): RequestListener {
  return (req, res) => {
    if (!serve(req, res, parts)) app(req, res);
  };
}

function serve(
  req: IncomingMessage,
  res: ServerResponse,
  parts: Parts,
): boolean {
  const { method, headers, url = '' } = req;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const answer = parts.keptAnswers.find(url);
  if (answer === null || parts.stopping.aborted) return false;
  if ('content-length' in headers || 'transfer-encoding' in headers) {
    return false; // its body has to be dealt with
  }
  const began = parts.time === null ? 0 : performance.now();
  let network: Uint8Array;
  let left: string;
  try {
    network = requestNetwork(req, parts.trustedProxies);
    const standing = parts.readLimiter.take(READS, network);
    left = standingItem({ limit: READS, ...standing });
  } catch {
    return false; // the app finds the same and tells it
  }
  res.once('close', () => {
    parts.time?.(method, answer.route, res, began);
    parts.record(req, network);
  });
  send(req, res, answer, left);
  return true;
}

function send(
  { method, headers }: IncomingMessage,
  res: ServerResponse,
  answer: KeptAnswer,
  left: string,
): void {
  const { bytes, etag, type } = answer;
  const known = headers['if-none-match'];
  if (known !== undefined && matchesEtag(known, etag)) {
    res.writeHead(304, [...answer.headers, 'RateLimit', left]);
    res.end();
    return;
  }
  res.writeHead(200, [
    ...answer.headers,
    'RateLimit',
    left,
    'Content-Type',
    type,
    'Content-Length',
    String(bytes.length),
  ]);
  if (method === 'HEAD') res.end();
  else res.end(bytes);
}
