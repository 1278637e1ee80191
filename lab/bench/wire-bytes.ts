import http from 'node:http';
import type { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { utf8Length } from '../../protocol/bytes.js';
import { type FeedPage, feedPageFromJson } from '../../protocol/feed-page.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import { RELEASE } from '../../server/http/release.js';
import type { MeshNode } from './three-nodes.js';

/** Bytes for each message: on the wire both ways, heads of HTTP included. */
export type WireFigures = {
  messages: number;
  /** Of the texts alone, in UTF-8. */
  body: number;
  plain: number;
  gzip: number;
  /** The same where every message comes on a page of its own, as it is live. */
  alone: { plain: number; gzip: number };
};

type Fetched = { bytes: number; page: FeedPage };
type Sum = { bytes: number; body: number; messages: number };

/**
 * Pages of the log asked for with the words of a mirror (spec/mesh.md §B4,
 * §B7).
 */
class Asker {
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly node: MeshNode,
    private readonly encoding: 'gzip' | 'identity',
  ) {}

  page(from: number, limit: number): Promise<Fetched> {
    const query = `from=${from}&limit=${limit}&content=signed&wait=0`;
    const headers = {
      accept: 'application/json, text/plain',
      'accept-encoding': this.encoding,
      'user-agent': `reserve-board/${RELEASE}`,
    };
    const { port } = this.node;
    const options = { port, path: `/log/feed?${query}`, headers };
    return new Promise((resolve, reject) => {
      const request = http.get({ ...options, agent: this.agent }, (answer) => {
        const { socket } = answer; // it is taken away at the end
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const body = Buffer.concat(parts);
          const packed = answer.headers['content-encoding'] === 'gzip';
          const text = packed ? gunzipSync(body) : body;
          const page = feedPageFromJson(JSON.parse(String(text)));
          if (page.ok) resolve({ bytes: moved(socket), page: page.value });
          else reject(new Error(`${query}: ${answer.statusCode}`));
        });
      });
      request.on('error', reject);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

const seen = new WeakMap<Socket, number>();

/** Bytes both ways on a socket since it was asked last. */
function moved(socket: Socket): number {
  const all = socket.bytesRead + socket.bytesWritten;
  const before = seen.get(socket) ?? 0;
  seen.set(socket, all);
  return all - before;
}

function add(sum: Sum, { bytes, page }: Fetched): void {
  sum.bytes += bytes;
  for (const { content } of page.entries) {
    if (!content || content === 'bad') continue;
    sum.messages += 1;
    sum.body += utf8Length(content.body);
  }
}

/** The whole log in pages of this size. */
async function walk(asker: Asker, size: number, limit: number): Promise<Sum> {
  const sum = { bytes: 0, body: 0, messages: 0 };
  for (let from = 0; from < size; ) {
    const fetched = await asker.page(from, limit);
    add(sum, fetched);
    from = fetched.page.to;
  }
  return sum;
}

/**
 * Row M3: what a mirror of this node's log moves for each message, with and
 * without gzip.
 */
export async function measureWire(node: MeshNode): Promise<WireFigures> {
  const askers = [
    new Asker(node, 'identity'),
    new Asker(node, 'gzip'),
  ] as const;
  try {
    const [plain, gzip] = askers;
    const size = await sizeOf(gzip);
    const whole = await walk(plain, size, FEED_ENTRIES);
    const { messages } = whole;
    const each = ({ bytes }: Sum) => bytes / messages;
    return {
      messages,
      body: whole.body / messages,
      plain: each(whole),
      gzip: each(await walk(gzip, size, FEED_ENTRIES)),
      alone: {
        plain: each(await walk(plain, size, 1)),
        gzip: each(await walk(gzip, size, 1)),
      },
    };
  } finally {
    for (const asker of askers) asker.close();
  }
}

async function sizeOf(asker: Asker): Promise<number> {
  const { page } = await asker.page(0, 1);
  const size = Number(page.checkpoint.split('\n')[1]);
  if (!(size > 0)) throw new Error('a checkpoint of nothing');
  return size;
}
