import type {
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import { matchesEtag } from '../conditional.js';
import { readsLeft } from '../rate-limits/headers.js';
import type { EarlyReads } from './early-reads.js';
import type { KeptAnswer, KeptAnswers } from './response-cache.js';

/**
 * Serves kept answers before the app is entered, and leaves to it whatever is
 * not a plain read of one: also what ends in an error. Headers are those of the
 * app (spec/board.md §1.7).
 */
export function hotReads(
  app: RequestListener,
  early: EarlyReads,
  kept: KeptAnswers,
): RequestListener {
  return (req, res) => {
    if (!serve(req, res, early, kept)) app(req, res);
  };
}

function serve(
  req: IncomingMessage,
  res: ServerResponse,
  early: EarlyReads,
  kept: KeptAnswers,
): boolean {
  const { method, url = '' } = req;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const answer = kept.find(url);
  if (answer === null || !early.isPlain(req)) return false;
  const read = early.take(req, res, answer.route);
  if (read === null) return false;
  send(req, res, answer, readsLeft(read.left));
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
