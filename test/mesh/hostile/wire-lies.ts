import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Asked, Mode } from '../support/hostile-peer.js';

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
  const encoded = (body: string | Buffer, encoding: string) =>
    bytes(body, { 'Content-Encoding': encoding });
  /** By the error; none is known of those that are never heard to the end. */
  const lies: Record<string, Record<string, Mode>> = {
    none: { silence: () => true, 'a slow drip': drip },
    too_large: {
      'an endless body': endless,
      'an announced gigabyte': bytes('{}', { 'Content-Length': '1000000000' }),
      'a giant page': bytes(Buffer.alloc(2_097_153, 0x20)),
      'a gzip bomb': encoded(zeros, 'gzip'),
    },
    bad_encoding: {
      'double gzip': encoded(gzipSync(gzipSync('{}')), 'gzip, gzip'),
      'stacked encodings': encoded('{}', stacked),
      brotli: encoded(brotliCompressSync('{}'), 'br'),
      'gzip that is none': encoded('{}', 'gzip'),
    },
    redirected: {
      'a redirect': status(302, { Location: canary }),
      'a lasting redirect': status(308, { Location: canary }),
    },
    unreachable: {
      'half an answer': cutShort,
      'no HTTP': raw('220 smtp ready\r\n'),
      'two lengths': raw(twice),
      'giant headers': bytes('{}', { 'X-A': 'a'.repeat(1e5) }),
    },
    http_404: { 'a refresh': status(404, { Refresh: `0; ${canary}` }) },
    http_503: { 'a 503 without end': status(503, { 'Retry-After': '1e99' }) },
    http_429: {
      'a 429 for years': status(429, { 'Retry-After': '9999999999' }),
    },
  };
  return Object.entries(lies).flatMap(([error, modes]) =>
    Object.entries(modes).map(([name, mode]) => ({
      name,
      mode: inFeed(mode),
      code: error === 'none' ? null : error,
    })),
  );
}

const twice =
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}smuggled';
