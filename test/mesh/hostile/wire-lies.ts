import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Asked, Mode } from '../support/hostile-peer.js';

/** What a peer does, and the error its row then shows; null: none so far. */
export type Lie = { name: string; mode: Mode; code: string | null };

const bytes =
  (body: string | Buffer, headers: Record<string, string | string[]> = {}) =>
  ({ res }: Asked): boolean => {
    res.writeHead(200, { 'Content-Type': 'application/json', ...headers });
    res.end(body);
    return true;
  };

const status =
  (code: number, headers: Record<string, string> = {}): Mode =>
  ({ res }) => {
    res.writeHead(code, headers).end('{"error":"x","detail":"X."}');
    return true;
  };

/** Only pages of the log are lied about, so that the rest is asked in peace. */
const inFeed =
  (mode: Mode): Mode =>
  (asked) =>
    asked.path === '/log/feed' && mode(asked);

const endless: Mode = ({ res }) => {
  const piece = Buffer.alloc(65_536, 0x20);
  const more = () => {
    while (!res.destroyed && res.write(piece));
  };
  res.on('drain', more);
  more();
  return true;
};

const drip: Mode = ({ res }) => {
  res.writeHead(200);
  const timer = setInterval(() => res.write(' '), 50);
  res.once('close', () => clearInterval(timer));
  return true;
};

const cutShort: Mode = ({ res }) => {
  res.writeHead(200, { 'Content-Length': '1000' });
  res.write('{"protocol":', () => res.destroy());
  return true;
};

const raw =
  (text: string): Mode =>
  ({ res }) => {
    res.socket?.end(text);
    return true;
  };

/** Lies of the transport: nothing of them is a page, whatever it says. */
export function wireLies(canary: string): Lie[] {
  const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const stacked = Array(200).fill('gzip').join(', ');
  const lie = (name: string, code: string | null, mode: Mode): Lie => ({
    name,
    mode: inFeed(mode),
    code,
  });
  return [
    lie('silence', null, () => true),
    lie('a slow drip', null, drip),
    lie('an endless body', 'too_large', endless),
    lie(
      'an announced gigabyte',
      'too_large',
      bytes('{}', { 'Content-Length': '1000000000' }),
    ),
    lie('a giant page', 'too_large', bytes(Buffer.alloc(2_097_153, 0x20))),
    lie(
      'a gzip bomb',
      'too_large',
      bytes(zeros, { 'Content-Encoding': 'gzip' }),
    ),
    lie(
      'double gzip',
      'bad_encoding',
      bytes(gzipSync(gzipSync('{}')), { 'Content-Encoding': 'gzip, gzip' }),
    ),
    lie(
      'stacked encodings',
      'bad_encoding',
      bytes('{}', { 'Content-Encoding': stacked }),
    ),
    lie(
      'brotli',
      'bad_encoding',
      bytes(brotliCompressSync('{}'), { 'Content-Encoding': 'br' }),
    ),
    lie(
      'gzip that is none',
      'bad_encoding',
      bytes('{}', { 'Content-Encoding': 'gzip' }),
    ),
    lie('a redirect', 'redirected', status(302, { Location: canary })),
    lie('a lasting redirect', 'redirected', status(308, { Location: canary })),
    lie('a refresh', 'http_404', status(404, { Refresh: `0; ${canary}` })),
    lie('a hang-up', 'unreachable', ({ res }) => {
      res.destroy();
      return true;
    }),
    lie('half an answer', 'unreachable', cutShort),
    lie('no HTTP', 'unreachable', raw('220 smtp ready\r\n')),
    lie('two lengths', 'unreachable', raw(twice)),
    lie(
      'giant headers',
      'unreachable',
      bytes('{}', { 'X-A': 'a'.repeat(1e5) }),
    ),
    lie('a 500', 'http_500', status(500)),
    lie('a 503 for ever', 'http_503', status(503, { 'Retry-After': '1e99' })),
    lie(
      'a 429 for ever',
      'http_429',
      status(429, { 'Retry-After': '9999999999' }),
    ),
  ];
}

const twice =
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}smuggled';
