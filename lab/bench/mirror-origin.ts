import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fromUtf8 } from '../../protocol/bytes.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import { logOf, signedEntries } from '../../test/client/support/signed-log.js';
import { MemoryLog } from '../../test/mesh/support/memory-log.js';

/**
 * The other end of lab/bench/mirror-ingest.ts, in a process of its own: a log
 * whose pages are finished before anybody asks, so that a puller never waits.
 */
const log = new MemoryLog('board.bench/log');
const entries = signedEntries(Number(process.argv[2]));
const checkpoint = await logOf(entries).checkpoint();
log.append(
  entries.map(({ leaf, content }) => ({
    leaf: fromUtf8(leaf) ?? '',
    content,
  })),
  checkpoint,
);
const pages = new Map<number, Buffer>();
for (let from = 0; from <= entries.length; from += FEED_ENTRIES) {
  const at = Math.min(from, entries.length);
  pages.set(at, gzipSync(log.page(at, FEED_ENTRIES) ?? '', { level: 1 }));
}
const last = gzipSync(log.page(entries.length, FEED_ENTRIES) ?? '');

const server = http.createServer((req, res) => {
  const { searchParams, pathname } = new URL(req.url ?? '/', 'http://origin');
  if (pathname !== '/log/feed') {
    res.writeHead(404).end();
    return;
  }
  const from = Number(searchParams.get('from'));
  if (from === entries.length && searchParams.get('wait') !== '0') return;
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Encoding': 'gzip',
  });
  res.end(from === entries.length ? last : pages.get(from));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, size: entries.length });
});
process.once('disconnect', () => process.exit());
