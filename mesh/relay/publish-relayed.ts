import { openPost } from '../../protocol/agent-post.js';
import { equalBytes, toBase64 } from '../../protocol/bytes.js';
import {
  type KeyChain,
  type KeyRefusal,
  type KeyStep,
  stepKeyChain,
} from '../../protocol/key.js';
import type { Relay } from '../../protocol/relay.js';
import { messageHash } from '../../protocol/statement.js';
import { accepted, refused, type Verdict } from '../../protocol/verdict.js';
import { keyChecks } from '../../server/agents/index.js';
import type { Context } from '../../server/context.js';
import {
  type CounterKeys,
  fixedKey,
  rateLimited,
} from '../../server/db/budgets.js';
import { takeAll } from '../../server/db/budgets.sql.js';
import { Message } from '../../server/db/entities/message.js';
import type { BoardError } from '../../server/errors.js';
import {
  type AppendContext,
  LATER,
  refuse,
} from '../../server/ledger/append.js';
import {
  appendKeyStep,
  chainOf,
  loadKeyChain,
  readKeyEvents,
} from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import {
  noSuchTarget,
  type Parent,
  type Publisher,
  type PublishResult,
  publishJob,
  unissued,
  type WriteTicket,
} from '../../server/posting/index.js';
import type { ReadEnvelope } from './read-envelope.js';
import { relayRefusal } from './relay-errors.js';
import { peerBudgets } from './relay-payer.js';

/** Of a relayed statement (spec/mesh.md §B3), in ms. */
const OLDEST_MS = 24 * 3_600_000;
const NEWEST_MS = 120_000;

/** By the job of local posts (spec/mesh.md §B10). */
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
  const brought = { agent, notes: keys, counters, via: relay.from };
  const seq = await signingSeq(ctx, envelope, brought);
  const parent = await parentOf(ctx, envelope);
  const publisher: Publisher = {
    network: relay.network,
    counters,
    note: { note, seq },
    relayed: peerBudgets(relay),
  };
  const ticket = ticketOf(envelope, parent, counters, now);
  const { run } = publishJob(ctx, ticket, publisher);
  return await ctx.ledger.append(async (context) => {
    if (context.isClaimed(ticket.requestId)) return LATER;
    const refusal = await recordKeys(ctx, context, brought);
    return refusal === null ? await run(context) : refuse(refusal);
  });
}

/** A conflict is recorded although its post is refused (§B2). */
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
    const refusal = await ctx.ledger.append(async (context) => {
      const why = await recordKeys(ctx, context, brought);
      return () => why;
    });
    if (refusal !== null) throw refusal;
  }
  throw relayRefusal(post.reason, 'envelope.note');
}

/** Hash and room never change, so no lock; the job checks for removal. */
async function parentOf(
  ctx: Context,
  { statement: { parent, room } }: ReadEnvelope,
): Promise<Parent | null> {
  if (parent === null) return null;
  const { id, hash } = parent;
  const row = await ctx.writes.manager.findOne(Message, {
    select: { rootId: true, room: true, messageHash: true, removedAt: true },
    where: { id },
  });
  if (row === null || row.removedAt !== null) throw noSuchTarget(id);
  if (!equalBytes(row.messageHash, hash) || row.room !== room) {
    throw relayRefusal('parent_mismatch', 'envelope.note');
  }
  return { id, rootId: row.rootId, room, messageHash: hash };
}

function ticketOf(
  { statement, text, submission, contentHash }: ReadEnvelope,
  parent: Parent | null,
  counters: CounterKeys,
  now: number,
): WriteTicket {
  const draft = {
    submitted: submission,
    room: statement.room,
    replyTo: parent?.id ?? null,
    rootId: parent?.rootId ?? null,
    title: submission.title,
    salt: toBase64(submission.salt ?? new Uint8Array(16)),
    statement: text,
    messageHash: toBase64(messageHash(text)),
  };
  const post = { requestId: statement.request, contentHash, draft };
  return unissued(post, counters, now);
}

/** And who pays for recording them. */
type BroughtKeys = {
  agent: string;
  notes: readonly string[];
  counters: CounterKeys;
  via: string;
};

/** Returns why it stopped; recorded events stay (spec/mesh.md §B10.2). */
async function recordKeys(
  ctx: Context,
  context: AppendContext,
  { agent, notes, counters, via }: BroughtKeys,
): Promise<BoardError | null> {
  const events = await readKeyEvents(context.tx, OWN_LOG, agent);
  const merged = mergeKeys(chainOf(events), agent, notes);
  if (!merged.ok) return relayRefusal(merged.reason, 'envelope.keys');
  for (const step of merged.value.steps) {
    const checks = keyChecks(step, counters, fixedKey(`relay ${via}`));
    const asked = { checks, limits: ctx.limits, now: context.now };
    const { blocked } = await takeAll(context.tx, asked);
    if (blocked !== null) return rateLimited(blocked);
    await appendKeyStep(context, step);
  }
  return null;
}

/** Null chain: unknown agent. `steps` are new, in order. */
type MergedKeys = { chain: KeyChain | null; steps: readonly KeyStep[] };

/** Known events win (spec/mesh.md §B10). */
function mergeKeys(
  known: KeyChain | null,
  agent: string,
  notes: readonly string[],
): Verdict<MergedKeys, KeyRefusal | 'key_unknown'> {
  let chain = known;
  const steps: KeyStep[] = [];
  for (const note of notes) {
    const step = stepKeyChain(chain, note);
    if (!step.ok) {
      const ended = chain !== null && chain.status !== 'active';
      if (ended && /^key_(conflict|revoked)$/.test(step.reason)) break;
      return step;
    }
    if (step.value.chain.agent !== agent) return refused('key_unknown');
    chain = step.value.chain;
    if (step.value.kind !== 'repeat') steps.push(step.value);
  }
  return accepted({ chain, steps });
}
