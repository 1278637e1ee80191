import { z } from 'zod';
import { fromUtf8, toBase64 } from '../../protocol/bytes.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { parseEntry, readPost } from '../../protocol/entry.js';
import { messageHash } from '../../protocol/statement.js';
import {
  type RelayReceipt,
  relayReceipt,
} from '../../server/http/openapi/relay.js';
import type { PeerAnswer } from '../pull/fetch/peer-client.js';
import type { ErrorBody, PendingRow } from './outbox-rows.js';
import type { RelayPeer } from './relay-peer.js';

/** What one try to hand a post over came to. */
export type Outcome =
  | { kind: 'published'; fresh: boolean; receipt: RelayReceipt }
  /** Its board said no, or said something that cannot be true. */
  | { kind: 'refused'; error: ErrorBody | null }
  /** No answer, or one that may be another later; `afterMs` where it says. */
  | { kind: 'waiting'; error: ErrorBody | null; afterMs: number | null };

export const NO_ANSWER: Outcome = {
  kind: 'waiting',
  error: null,
  afterMs: null,
};

/** The longest wait another board can ask for: as the back-off of pulls. */
const AFTER_MOST_MS = 3_600_000;

/** What a board keeps of another's error: enough for every real one. */
const ERROR_CHARACTERS = 8192;

const refusalBody = z.looseObject({
  error: z.string().max(100),
  detail: z.string().max(4000),
});

/**
 * Reads the answer of `POST /api/mesh/relay`. A receipt counts only with the
 * leaf that holds the very note that was handed over, or, of an earlier
 * publication, the same request of the same agent, under a checkpoint of the
 * board's pinned log key.
 */
export function judgeAnswer(
  { status, body }: PeerAnswer,
  row: PendingRow,
  peer: RelayPeer,
  from: string,
): Outcome {
  const json = jsonOf(body);
  if (status === 200 || status === 201) {
    const receipt = relayReceipt.safeParse(json);
    const fresh = status === 201;
    return receipt.success && isOf(receipt.data, row, peer, from, fresh)
      ? { kind: 'published', fresh, receipt: receipt.data }
      : { kind: 'refused', error: null };
  }
  const refusal = refusalBody.safeParse(json);
  // What no board says, a proxy before it does: the board did not answer.
  if (!refusal.success) return NO_ANSWER;
  const error =
    JSON.stringify(refusal.data).length <= ERROR_CHARACTERS
      ? refusal.data
      : { error: refusal.data.error, detail: refusal.data.detail };
  const passing = status === 408 || status === 429 || status >= 500;
  if (!passing) return { kind: 'refused', error };
  return { kind: 'waiting', error, afterMs: afterMsOf(error) };
}

/** What another board wishes is kept to, within what makes sense. */
function afterMsOf({ retry_after_seconds: seconds }: ErrorBody): number | null {
  if (typeof seconds !== 'number' || !(seconds > 0)) return null;
  return Math.min(Math.ceil(seconds * 1000), AFTER_MOST_MS);
}

function jsonOf(body: Buffer): unknown {
  const text = fromUtf8(body);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function isOf(
  receipt: RelayReceipt,
  row: PendingRow,
  peer: RelayPeer,
  from: string,
  fresh: boolean,
): boolean {
  const { message, log, leaf, index } = receipt;
  const entry = parseEntry(leaf);
  if (!entry.ok || entry.value.type !== 'post') return false;
  const { id, root, via, embedded } = entry.value;
  const post = readPost(embedded);
  if (!post.ok) return false;
  const { statement, text } = post.value;
  const checkpoint = openCheckpoint(log.checkpoint, peer.logVkey);
  return (
    id === message.id &&
    root === message.root_id &&
    message.request_id === row.requestId &&
    statement.request === row.requestId &&
    statement.board === row.board &&
    statement.agent === row.agentId &&
    receipt.message_hash === toBase64(messageHash(text)) &&
    (!fresh || (embedded === row.note && via === from)) &&
    index === log.index &&
    index < log.size &&
    checkpoint.ok &&
    checkpoint.value.origin === log.origin &&
    log.origin === peer.origin &&
    checkpoint.value.size === log.size &&
    [receipt.url, receipt.read_url, receipt.proof_url ?? receipt.url].every(
      (url) => /^https?:/.test(url),
    )
  );
}
