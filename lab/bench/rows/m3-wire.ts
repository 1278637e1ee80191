import { gunzipSync } from 'node:zlib';
import { utf8Length } from '../../../protocol/bytes.js';
import {
  type FeedPage,
  feedPageFromJson,
} from '../../../protocol/feed-page.js';
import { FEED_ENTRIES } from '../../../protocol/limits.js';
import { RELEASE } from '../../../server/http/release.js';
import { clientAt, newTraveller } from '../../mesh-demo/agent.js';
import { messageText } from '../corpus/message.js';
import { Connection } from '../load/connection.js';
import { getRequest } from '../load/get.js';
import { atMost, figure, type Row, rounded } from '../row.js';
import type { Lab } from '../set-up/lab.js';
import { meshBoard } from './mesh-board.js';

const SEED = 1;
const MESSAGES = 256;
const SHORT_MESSAGES = 5;
/** Beside the body: its signature, its place in the log, names and salt. */
const BESIDE = 700;
const PACKED = 0.6;

export const wireRow: Row = {
  id: 'M3',
  section: 'mesh',
  work: 'bytes on the wire for each mirrored message',
  reference: `its body + ${BESIDE} B`,
  marks: `≤ 1; ≤ ${PACKED} with gzip`,
  sameWithoutFastPaths: 'bytes of the feed, which goes through Express',
  run,
};

async function run(lab: Lab) {
  const messages = lab.options.short ? SHORT_MESSAGES : MESSAGES;
  const board = await meshBoard(lab);
  const client = await clientAt(board, await newTraveller());
  for (let n = 1; n <= messages; n += 1) {
    lab.at('M3', n, messages);
    const { title, body } = messageText(SEED, n);
    await client.post({ title, body });
  }
  const connection = await Connection.open(board.port);
  const each = async (encoding: Encoding, limit: number) => {
    const { bytes, body, count } = await walk(connection, encoding, limit);
    if (count !== messages) throw new Error(`${count} of ${messages} came`);
    return { bytes: bytes / count, most: body / count + BESIDE };
  };
  const besideBody = (
    what: string,
    { bytes, most }: { bytes: number; most: number },
    share: number,
  ) =>
    figure(what, [bytes, 'B', 0], {
      reference: [`body + ${BESIDE} B`, most],
      ratio: bytes / most,
      mark: atMost(rounded(bytes / most), share, ' ×'),
    });
  const alone = await each('identity', 1);
  const aloneGzip = await each('gzip', 1);
  return {
    figures: [
      besideBody('in full pages', await each('identity', FEED_ENTRIES), 1),
      besideBody('with gzip', await each('gzip', FEED_ENTRIES), PACKED),
    ],
    notes: [
      `each on a page of its own, heads and proof and all: ${rounded(alone.bytes, 0)} B, ${rounded(aloneGzip.bytes, 0)} B with gzip`,
    ],
  };
}

type Encoding = 'gzip' | 'identity';

/**
 * The whole log in pages of this size, asked for with the words of a mirror
 * (spec/mesh.md §B4, §B7): bytes both ways, heads of HTTP included, and those
 * of the texts alone.
 */
async function walk(connection: Connection, encoding: Encoding, limit: number) {
  const sum = { bytes: 0, body: 0, count: 0 };
  for (let from = 0, size = 1; from < size; ) {
    const request = getRequest(
      `/log/feed?from=${from}&limit=${limit}&content=signed&wait=0`,
      `accept: application/json, text/plain\r\naccept-encoding: ${encoding}\r\nuser-agent: reserve-board/${RELEASE}\r\nConnection: keep-alive\r\n`,
    );
    const { bytes, body } = await connection.request(request, true);
    const page = pageOf(body ?? Buffer.alloc(0));
    sum.bytes += request.length + bytes;
    for (const { content } of page.entries) {
      if (!content || content === 'bad') continue;
      sum.count += 1;
      sum.body += utf8Length(content.body);
    }
    from = page.to;
    size = Number(page.checkpoint.split('\n')[1]);
  }
  return sum;
}

const GZIP = 0x1f;

/** A board packs no page that is small. */
function pageOf(body: Buffer): FeedPage {
  const text = body[0] === GZIP ? gunzipSync(body) : body;
  const page = feedPageFromJson(JSON.parse(String(text)));
  if (page.ok) return page.value;
  throw new Error('a page of the feed cannot be read');
}
