import { openPost } from '../../protocol/agent-post.js';
import { equalBytes, toBase64 } from '../../protocol/bytes.js';
import type { Relay } from '../../protocol/relay.js';
import type { Room } from '../../protocol/room.js';
import { messageHash } from '../../protocol/statement.js';
import { takeKeyBudgets } from '../../server/agents/key-budgets.js';
import type { Context } from '../../server/context.js';
import { rateLimited } from '../../server/db/budgets.js';
import type { BoardError } from '../../server/errors.js';
import type { CounterKeys } from '../../server/http/rate-limits/network-keys.js';
import type { Turn } from '../../server/ledger/append-context.js';
import { type Job, LATER } from '../../server/ledger/batch.js';
import {
  chainOf,
  loadKeyChain,
  readKeyEvents,
} from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import { appendKeyStep } from '../../server/ledger/record-key-step.js';
import { refuse } from '../../server/moderation/record-decision.js';
import type { Parent } from '../../server/posting/draft.js';
import type { WriteTicket } from '../../server/posting/find-ticket.js';
import { noSuchTarget } from '../../server/posting/preview-facts.js';
import {
  type Publisher,
  publishJob,
} from '../../server/posting/publish-job.js';
import type { PublishResult } from '../../server/posting/receipt.js';
import { mergeKeys } from './merge-keys.js';
import type { ReadEnvelope } from './read-envelope.js';
import { peerBudgets } from './relay-payer.js';
import { relayRefusal } from './relay-refusals.js';

/** How old and how new a relayed statement may be (spec/mesh.md §B3), in ms. */
const OLDEST_MS = 24 * 3_600_000;
const NEWEST_MS = 120_000;

/**
 * Publishes a new relayed post with the very job that publishes what is
 * posted here: its time, its keys, its parent, then rules and budgets under
 * the head lock (spec/mesh.md §B10).
 */
export async function publishRelayed(
  ctx: Context,
  envelope: ReadEnvelope,
  relay: Relay,
  counters: CounterKeys,
  now: number,
): Promise<PublishResult> {
  const { statement, note, keys } = envelope;
  const { at, agent } = statement;
  if (at < now - OLDEST_MS || at > now + NEWEST_MS) {
    throw relayRefusal('stale_statement', 'envelope.note');
  }
  if (agent === null) throw relayRefusal('bad_note', 'envelope.note');
  const brought = { agent, notes: keys, counters };
  const seq = await signingSeq(ctx, envelope, brought);
  const parent = await parentOf(ctx, envelope);
  const publisher: Publisher = {
    network: relay.network,
    counters,
    note: { note, seq },
    relayed: peerBudgets(relay),
  };
  const ticket = ticketOf(envelope, parent, counters, now);
  return await ctx.ledger.append(relayJob(ctx, ticket, publisher, brought));
}

/** Keys on the fly, then the very job that publishes what is posted here. */
function relayJob(
  ctx: Context,
  ticket: WriteTicket,
  publisher: Publisher,
  brought: BroughtKeys,
): Job<PublishResult> {
  const publish = publishJob(ctx, ticket, publisher);
  return async (turn) => {
    if (turn.isClaimed(ticket.requestId)) return LATER;
    const refusal = await recordKeys(ctx, turn, brought);
    return refusal === null ? await publish(turn) : refuse(refusal);
  };
}

/**
 * The seq of the key that signed, by what is known here and what came along.
 * A conflict is recorded even though its post is refused (spec/mesh.md §B2).
 */
async function signingSeq(
  ctx: Context,
  { note }: ReadEnvelope,
  brought: BroughtKeys,
): Promise<number> {
  const { agent, notes } = brought;
  const known = await loadKeyChain(ctx.writes, OWN_LOG, agent);
  const merged = mergeKeys(known, agent, notes);
  if (!merged.ok) throw relayRefusal(merged.reason, 'envelope.keys');
  const { chain, steps } = merged.value;
  const post = openPost(note, chain);
  if (post.ok) return post.value.seq;
  if (steps.some(({ kind }) => kind === 'conflict')) {
    const refusal = await ctx.ledger.append(async (turn) => {
      const why = await recordKeys(ctx, turn, brought);
      return () => why;
    });
    if (refusal !== null) throw refusal;
  }
  throw relayRefusal(post.reason, 'envelope.note');
}

type ParentRow = {
  root_id: number;
  room: Room;
  message_hash: Buffer;
  removed_at: number | null;
};

/**
 * The message replied to, as the statement names it. Its hash and room never
 * change, so they need no lock; whether it is removed is asked again there.
 */
async function parentOf(
  ctx: Context,
  { statement: { parent, room } }: ReadEnvelope,
): Promise<Parent | null> {
  if (parent === null) return null;
  const { id, hash } = parent;
  const [row] = await ctx.writes.query<ParentRow>(
    'SELECT root_id, room, message_hash, removed_at FROM message WHERE id = $1',
    [id],
  );
  if (row === undefined || row.removed_at !== null) throw noSuchTarget(id);
  if (!equalBytes(row.message_hash, hash) || row.room !== room) {
    throw relayRefusal('parent_mismatch', 'envelope.note');
  }
  return { id, rootId: row.root_id, room, messageHash: hash };
}

/** A ticket that was never issued: what publishing needs of one. */
function ticketOf(
  { statement, text, submission, contentHash }: ReadEnvelope,
  parent: Parent | null,
  counters: CounterKeys,
  now: number,
): WriteTicket {
  const { name, body, title, replyTo, vote, poll, agentId } = submission;
  return {
    hash: Buffer.alloc(32),
    requestId: statement.request,
    contentHash,
    draft: {
      submitted: { name, body, title, replyTo, vote, poll, agentId },
      room: statement.room,
      replyTo: parent?.id ?? null,
      rootId: parent?.rootId ?? null,
      title,
      salt: toBase64(submission.salt ?? new Uint8Array(16)),
      statement: text,
      messageHash: toBase64(messageHash(text)),
    },
    networkSalt: Buffer.alloc(16),
    networkHash: Buffer.alloc(32),
    counters,
    answerHash: Buffer.alloc(32),
    expiresAt: now,
  };
}

/** The events of an envelope, and who pays for recording them. */
type BroughtKeys = {
  agent: string;
  notes: readonly string[];
  counters: CounterKeys;
};

/**
 * Registers an agent's keys on the fly, under the head lock, with the budgets
 * of `POST /api/keys`. Answers why it had to stop; what was recorded before
 * stays (spec/mesh.md §B13).
 */
async function recordKeys(
  ctx: Context,
  turn: Turn,
  { agent, notes, counters }: BroughtKeys,
): Promise<BoardError | null> {
  const events = await readKeyEvents(turn.tx, OWN_LOG, agent);
  const merged = mergeKeys(chainOf(events), agent, notes);
  if (!merged.ok) return relayRefusal(merged.reason, 'envelope.keys');
  for (const step of merged.value.steps) {
    const { limits } = ctx;
    const { tx, now } = turn;
    const blocked = await takeKeyBudgets(tx, step, counters, limits, now);
    if (blocked !== null) return rateLimited(blocked);
    await appendKeyStep(turn, step);
  }
  return null;
}
