import { parseNote } from '../../protocol/note.js';
import { openRelay, parseRelay } from '../../protocol/relay.js';
import type { Context } from '../../server/context.js';
import { LogEntry, LogState } from '../../server/db/entities/log.js';
import { WriteRequest } from '../../server/db/entities/ticket.js';
import { isPullable } from '../../server/db/pullable.js';
import { writeEndpoint } from '../../server/http/endpoint.js';
import { requestState } from '../../server/http/request-state.js';
import {
  alreadyPublished,
  MESSAGE_LIMITS,
  type PublishResult,
} from '../../server/posting/index.js';
import {
  exampleRelayReceipt,
  type Receipt,
  type RelayReceipt,
  relayReceipt,
} from '../../server/tickets/index.js';
import { publishRelayed } from './publish-relayed.js';
import { type ReadEnvelope, readEnvelope } from './read-envelope.js';
import { relayRefusal } from './relay-errors.js';
import { tagCounters, takeAttempt } from './relay-payer.js';
import { findRelayPeer } from './relay-peer.js';
import { EXAMPLE_RELAY, relayRequest } from './relay-request.js';

/** spec/mesh.md §B10. An accepted request answers before keys and times. */
export const relayPost = writeEndpoint({
  post: '/api/mesh/relay',
  id: 'relayPost',
  tag: 'Mesh',
  summary: 'Take over a signed post from another node',
  description:
    "For nodes, not for agents: these name the board in a preview at their own node. The note is by the sending node's key, the envelope has the agent's signed statement, its content and its key events, which are registered on the fly. Every request spends an attempt of the network tag and of the peer; only a new publication a write. An accepted request answers with its first receipt.",
  body: () => ({ schema: relayRequest, example: EXAMPLE_RELAY }),
  bytes: ({ limits }) => limits.mesh_relay_bytes,
  answers: ({ baseUrl }) => {
    const schema = relayReceipt;
    const example = exampleRelayReceipt(baseUrl);
    const again = { ...example, status: 'already_published' };
    return {
      201: { description: 'Published.', json: { schema, example } },
      200: {
        description: 'Published already, through any node.',
        json: { schema, example: again },
      },
    };
  },
  errors: [
    'bad_note',
    'bad_statement',
    'bad_content',
    'wrong_board',
    'stale_statement',
    'poll_not_allowed_on_reply',
    'peer_not_allowed',
    'signature_invalid',
    'weak_key',
    'key_unknown',
    'key_superseded',
    'key_revoked',
    'key_conflicted',
    'request_id_conflict',
    'parent_mismatch',
    'funnel_thread_changed',
    'series_requires_reply',
    'key_sequence',
    'key_conflict',
    'too_long',
    'vote_not_portable',
    'topic_budget_exhausted',
  ],
  limits: [
    'publish_attempts_per_network_minute',
    'mesh_relay_per_peer_minute',
    'mesh_relay_per_peer_hour',
    ...MESSAGE_LIMITS,
    'keys_per_network_hour',
    'keys_per_board_hour',
    'key_rotations_per_agent_day',
  ],
  limitsOfOthers: true, // those of the author's network, by its tag
  handle:
    (ctx) =>
    async ({ body, req }) => {
      const now = ctx.clock.now();
      const relay = await openRelayNote(ctx, body.relay_note, now);
      const counters = tagCounters(relay, now);
      requestState(req).isCharged = true;
      await takeAttempt(ctx, relay, counters, now);
      const envelope = readEnvelope(ctx, body.envelope, relay);
      const { status, receipt } =
        (await acceptedBefore(ctx, envelope)) ??
        (await publishRelayed(ctx, envelope, relay, counters, now));
      return { json: await withLeaf(ctx, receipt), status };
    },
});

async function acceptedBefore(
  ctx: Context,
  { statement, contentHash }: ReadEnvelope,
): Promise<PublishResult | null> {
  const { request: requestId } = statement;
  const accepted = await ctx.writes.manager.findOneBy(WriteRequest, {
    requestId,
  });
  if (accepted === null) return null;
  return alreadyPublished({ requestId, contentHash }, accepted);
}

async function withLeaf(ctx: Context, receipt: Receipt): Promise<RelayReceipt> {
  const { origin, index } = receipt.log;
  const entry = await ctx.writes.manager
    .createQueryBuilder(LogEntry, 'e')
    .innerJoin(LogState, 's', 's.originId = e.originId')
    .select(['e.originId', 'e.idx', 'e.leaf'])
    .where('s.origin = :origin AND e.idx = :index', { origin, index })
    .andWhere('(s.originId = 0 OR s.closedAt IS NOT NULL)')
    .getOne();
  if (entry === null) throw new Error('a receipt without its entry');
  return { ...receipt, leaf: entry.leaf.toString('utf8'), index };
}

const NOTE = 'relay_note';
/** How far the relay note's `at` may be from the clock (spec/mesh.md §B10). */
const RELAY_MS = 120_000;

/**
 * From an active peer with trust `relay`, for this board, of now (spec/mesh.md
 * §B10).
 * @throws BoardError 400 `bad_note`, `bad_statement`, `wrong_board`,
 *   `stale_statement`; 403 `peer_not_allowed`, `signature_invalid`
 */
async function openRelayNote(ctx: Context, raw: string, now: number) {
  const note = parseNote(raw);
  if (!note.ok) throw relayRefusal(note.reason, NOTE);
  const claimed = parseRelay(note.value.text);
  if (!claimed.ok) throw relayRefusal(claimed.reason, NOTE);
  const peer = await findRelayPeer(ctx.reads, claimed.value.from);
  if (peer === null || !isPullable(peer) || peer.trust !== 'relay') {
    throw relayRefusal('peer_not_allowed', NOTE);
  }
  const opened = openRelay(raw, peer.nodeVkey);
  if (!opened.ok) throw relayRefusal(opened.reason, NOTE);
  const relay = opened.value;
  if (relay.to !== ctx.board.name) throw relayRefusal('wrong_board', NOTE);
  if (Math.abs(relay.at - now) > RELAY_MS) {
    throw relayRefusal('stale_statement', NOTE);
  }
  return relay;
}
