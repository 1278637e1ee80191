import { LRUCache } from 'lru-cache';
import { readObject } from '../../protocol/json.js';
import { isPullable } from '../../server/db/pullable.js';
import { BoardError } from '../../server/errors.js';
import type { AskedPeer, PeerAdmin } from '../mesh-ports.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import { type PeerAdminParts, requirePeer } from './peers.sql.js';

const ANSWER_BYTES = 16_384;
/** An operator waits for it, in ms. */
const POST_MS = 10_000;
const GET_MS = 3000;
const READ_AGAIN_MS = 600_000;
const FAILED_MS = 60_000;
const READ_MAX = 1000;

type Asked = { until: number; answer: Promise<AskedPeer> };

/** What is read is asked for again after 10 minutes, a refusal or failure after one. */
export function askPeer(parts: PeerAdminParts): PeerAdmin['ask'] {
  const read = new LRUCache<string, Asked>({ max: READ_MAX });
  return async (board, path, body) => {
    if (body !== undefined) return await asked(parts, board, path, body);
    const at = parts.clock.now();
    const key = `${board} ${path}`;
    let one = read.get(key);
    if (one === undefined || one.until <= at) {
      const answer = asked(parts, board, path);
      one = { until: at + FAILED_MS, answer };
      read.set(key, one);
      if ((await answer).status === 200) one.until = at + READ_AGAIN_MS;
    }
    return await one.answer;
  };
}

async function asked(
  parts: PeerAdminParts,
  board: string,
  path: string,
  body?: object,
): Promise<AskedPeer> {
  const peer = await requirePeer(parts, board);
  const { client } = parts;
  const signal = AbortSignal.timeout(body === undefined ? GET_MS : POST_MS);
  const call = { signal, maxBytes: ANSWER_BYTES };
  if (isPullable(peer)) {
    const answer = await (body === undefined
      ? client.get(peer.baseUrl, path, call)
      : client.post(peer.baseUrl, path, body, call));
    const json = answer.ok ? readObject(jsonOf(answer.value.body)) : null;
    // Without an object a proxy answered, not the board.
    if (answer.ok && json !== null && answer.value.status < 500) {
      return { status: answer.value.status, json };
    }
  }
  throw new BoardError(
    'origin_unreachable',
    `${peer.name} does not answer just now; try again in a minute.`,
    { retry_after_seconds: FAILED_MS / 1000 },
  );
}
