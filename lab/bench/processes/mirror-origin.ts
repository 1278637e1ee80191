import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { fromUtf8 } from '../../../protocol/bytes.js';
import { FEED_ENTRIES } from '../../../protocol/limits.js';
import {
  LOG_VKEY,
  logOf,
  signedEntries,
} from '../../../test/client/support/signed-log.js';
import { MemoryLog } from '../../../test/mesh/support/memory-log.js';
import { serving } from '../../../test/support/serving.js';
import { answer } from './answer.js';

export type OriginQuestion = { messages: number };

export type Origin = {
  name: string;
  url: string;
  logVkey: string;
  size: number;
};

/** Of the test's log and of its keys. */
const NAME = 'board.bench';

/** Its pages are finished before anybody asks: no puller waits. */
answer<OriginQuestion>(async ({ messages }): Promise<Origin> => {
  const entries = signedEntries(messages);
  const { length: size } = entries;
  const log = new MemoryLog(`${NAME}/log`);
  log.append(
    entries.map(({ leaf, content }) => ({
      leaf: fromUtf8(leaf) ?? '',
      content,
    })),
    await logOf(entries).checkpoint(),
  );
  const pages = new Map<number, Buffer>();
  for (let from = 0; from <= size + FEED_ENTRIES; from += FEED_ENTRIES) {
    const at = Math.min(from, size);
    pages.set(at, gzipSync(log.page(at, FEED_ENTRIES) ?? '', { level: 1 }));
  }
  const server = http.createServer((req, res) => {
    const { searchParams, pathname } = new URL(req.url ?? '/', 'http://origin');
    const from = Number(searchParams.get('from'));
    const page = pathname === '/log/feed' ? pages.get(from) : undefined;
    if (page === undefined) {
      res.writeHead(404).end();
      return;
    }
    if (from === size && searchParams.get('wait') !== '0') return;
    res.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    });
    res.end(page);
  });
  const { url } = await serving(server);
  return { name: NAME, url, logVkey: LOG_VKEY, size };
});
