import { z } from 'zod';
import { toBase64 } from '../../protocol/bytes.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { contentFromJson } from '../../protocol/content.js';
import { parseEntry, readPost } from '../../protocol/entry.js';
import { envelopeToJson, signRelay } from '../../protocol/relay.js';
import { messageHash } from '../../protocol/statement.js';
import { utcDay } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import { isPullable } from '../../server/db/pullable.js';
import { readKeyEvents } from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { type RelayReceipt, relayReceipt } from '../../server/tickets/index.js';
import { serves } from '../peer-port.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerAnswer, PeerClient } from '../pull/fetch/peer-client.js';
import type { ErrorBody, PendingRow } from './outbox-rows.sql.js';
import { findRelayPeer, type RelayPeer } from './relay-peer.js';

export type Outcome =
  | { kind: 'published'; fresh: boolean; receipt: RelayReceipt }
  /** Its board refused, or answered nonsense. */
  | { kind: 'refused'; error: ErrorBody | null }
  /** No final answer; `afterMs` where it says when to try again. */
  | { kind: 'waiting'; error: ErrorBody | null; afterMs: number | null };

const NO_ANSWER: Outcome = { kind: 'waiting', error: null, afterMs: null };

/** In ms (spec/mesh.md §B10). */
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 262_144;

/** Only `post`. */
export type Outbound = Pick<PeerClient, 'post'>;

/**
 * One `POST /api/mesh/relay`: a note of this moment by our node key, the
 * agent's signed statement, its content and its key events (spec/mesh.md §B10).
 * Nothing is sent to a peer that is not active (B8), or states that it takes
 * none.
 */
export async function sendRelay(
  ctx: Context,
  client: Outbound,
  row: PendingRow,
  signal: AbortSignal,
): Promise<Outcome> {
  const peer = await findRelayPeer(ctx.writes, row.board);
  if (peer === null || !isPullable(peer) || !serves(peer, 'relay')) {
    return NO_ANSWER;
  }
  const content = contentFromJson(row.content);
  if (!content.ok) throw new Error('a stored content is none');
  const events = await readKeyEvents(ctx.writes, OWN_LOG, row.agentId);
  const from = ctx.board.name;
  const now = ctx.clock.now();
  const relayNote = signRelay(
    {
      from,
      to: row.board,
      request: row.requestId,
      message: row.messageHash,
      network: utcDay(now) <= row.day ? row.tag : row.tagNext,
      at: now,
    },
    ctx.keys.node,
  );
  const envelope = envelopeToJson({
    note: row.note,
    content: content.value,
    keys: events.map(({ note }) => note),
  });
  const late = new AbortController();
  const cancel = ctx.clock.after(ANSWER_MS, () => late.abort());
  const answer = await client
    .post(
      peer.baseUrl,
      '/api/mesh/relay',
      { relay_note: relayNote, envelope },
      {
        signal: AbortSignal.any([signal, late.signal]),
        maxBytes: ANSWER_BYTES,
      },
    )
    .finally(cancel);
  return answer.ok ? judgeAnswer(answer.value, row, peer, from) : NO_ANSWER;
}

const AFTER_MOST_MS = 3_600_000;

/** More than any real error. */
const ERROR_CHARACTERS = 8192;

const refusalBody = z.looseObject({
  error: z.string().max(100),
  detail: z.string().max(4000),
});

/**
 * A receipt needs a leaf with the note that was sent (or the same request of
 * the agent, if published before), under the board's pinned log key.
 */
function judgeAnswer(
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
  // Not a board's format: a proxy answered, not the board.
  if (!refusal.success) return NO_ANSWER;
  const error =
    JSON.stringify(refusal.data).length <= ERROR_CHARACTERS
      ? refusal.data
      : { error: refusal.data.error, detail: refusal.data.detail };
  const passing = status === 408 || status === 429 || status >= 500;
  if (!passing) return { kind: 'refused', error };
  return { kind: 'waiting', error, afterMs: afterMsOf(error) };
}

/** Within bounds. */
function afterMsOf({ retry_after_seconds: seconds }: ErrorBody): number | null {
  if (typeof seconds !== 'number' || !(seconds > 0)) return null;
  return Math.min(Math.ceil(seconds * 1000), AFTER_MOST_MS);
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
    [
      receipt.url,
      receipt.read_url,
      receipt.proof_url,
      receipt.replies_url,
    ].every((url) => url === undefined || /^https?:/.test(url))
  );
}
