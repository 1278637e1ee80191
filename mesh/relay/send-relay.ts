import { contentFromJson } from '../../protocol/content.js';
import { envelopeToJson, signRelay } from '../../protocol/relay.js';
import { utcDay } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import { readKeyEvents } from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { judgeAnswer, NO_ANSWER, type Outcome } from './judge-answer.js';
import type { PendingRow } from './outbox-rows.js';
import { findRelayPeer } from './relay-peer.js';

/** How long a board has for its answer (spec/mesh.md §B10), in ms. */
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 262_144;

/** The way out, and nothing else of the client. */
export type Outbound = Pick<PeerClient, 'post'>;

/**
 * One `POST /api/mesh/relay`: a note of this moment by our node key, the
 * agent's signed statement, its content and its key events (spec/mesh.md §B10).
 * Nothing is sent to a peer that is not active (B8).
 */
export async function handOver(
  ctx: Context,
  client: Outbound,
  row: PendingRow,
  signal: AbortSignal,
): Promise<Outcome> {
  const peer = await findRelayPeer(ctx.writes, row.board);
  if (peer?.status !== 'active') return NO_ANSWER;
  const content = contentFromJson(row.content);
  if (!content.ok) throw new Error('a stored content is none');
  const events = await readKeyEvents(ctx.writes, OWN_LOG, row.agentId);
  const from = ctx.board.name;
  const now = ctx.clock.now();
  const { day, today, tomorrow } = row.tags;
  const relayNote = signRelay(
    {
      from,
      to: row.board,
      request: row.requestId,
      message: row.messageHash,
      network: utcDay(now) <= day ? today : tomorrow,
      at: now,
    },
    ctx.keys.node,
  );
  const envelope = envelopeToJson({
    note: row.note,
    content: content.value,
    keys: events.map(({ note }) => note),
  });
  const answer = await client.post(
    peer.baseUrl,
    '/api/mesh/relay',
    { relay_note: relayNote, envelope },
    {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      maxWireBytes: ANSWER_BYTES,
      maxInflatedBytes: ANSWER_BYTES,
    },
  );
  return answer.ok ? judgeAnswer(answer.value, row, peer, from) : NO_ANSWER;
}
