import type { Context } from '../context.js';
import { type BudgetCheck, blockedLimit, type Spend } from '../db/budgets.js';
import type { BoardError } from '../errors.js';
import type { Receipt } from '../http/openapi/receipt.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import type { Turn } from '../ledger/append-context.js';
import { type Job, LATER } from '../ledger/batch.js';
import type { Joint } from '../ledger/joint.js';
import { openPoll } from '../polls/open-poll.js';
import { challengeLocked } from '../tickets/answer-lock.js';
import type { WriteTicket } from './find-ticket.js';
import { insertMessages, type TextIndex, textIndex } from './insert-message.js';
import { noSuchTarget } from './preview-facts.js';
import {
  type PublishFacts,
  type PublishQuestion,
  publishFacts,
} from './publish-facts.js';
import { alreadyPublished, type PublishResult, receiptOf } from './receipt.js';
import { castReplyVote } from './reply-vote.js';
import { keyRefusal, type SignedNote } from './signed-note.js';
import { topicRefusal } from './topic-refusal.js';
import {
  budgetRefusal,
  payers,
  writeChecks,
  writeSpends,
} from './write-budgets.js';

/** Who hands a ticket in, and the note of a signed one, verified. */
export type Publisher = {
  network: Uint8Array;
  counters: CounterKeys;
  note: SignedNote | null;
  /** Of a post that another node hands in. */
  relayed?: Relayed;
};

/** Its board, and what that one spends beside its own networks (B10). */
export type Relayed = {
  via: string;
  checks: readonly BudgetCheck[];
  spends: readonly Spend[];
};

/**
 * The part of publishing that runs under the head lock: every rule that reads
 * shared state, in the order of spec/board.md §5.1, then the writes.
 */
export function publishJob(
  ctx: Context,
  ticket: WriteTicket,
  publisher: Publisher,
): Job<PublishResult> {
  const { replyTo, agentId } = ticket.draft.submitted;
  const { relayed } = publisher;
  const isTopic = replyTo === null;
  const text = textIndex(ticket.draft);
  const paying = (now: number) =>
    payers(publisher.counters, ticket.counters, agentId, now);
  const question: PublishQuestion = {
    ticket,
    checks: (now) => [
      ...writeChecks(paying(now), isTopic),
      ...(relayed?.checks ?? []),
    ],
    limits: ctx.limits,
  };
  const joint: Joint<PublishQuestion, PublishFacts> = {
    read: publishFacts,
    question,
  };
  const job: Job<PublishResult> = async (turn) => {
    if (turn.isClaimed(ticket.requestId)) return LATER;
    const checks = question.checks(turn.now);
    const facts = await factsFor(turn, joint, checks);
    const { accepted } = facts;
    if (accepted !== null) return () => alreadyPublished(ticket, accepted);
    const refusal =
      stateRefusal(ticket, facts, publisher, turn.now) ??
      (isTopic ? await topicRefusal(ctx, turn, ticket) : null);
    if (refusal !== null) return refuse(refusal);
    const spent = facts.standings.map(({ blocked }) => blocked);
    const blocked = blockedLimit(checks, spent, turn.now);
    if (blocked !== null) {
      return refuse(budgetRefusal(blocked, ctx.config.baseUrl));
    }
    const spends = [
      ...writeSpends(paying(turn.now), isTopic),
      ...(relayed?.spends ?? []),
    ];
    return await write(ctx, turn, ticket, facts, publisher, { text, spends });
  };
  return Object.assign(job, { joint });
}

/**
 * The facts as they stand at this turn: those read for the whole batch, unless
 * what its earlier jobs spent may have filled a limit since.
 */
async function factsFor(
  turn: Turn,
  joint: Joint<PublishQuestion, PublishFacts>,
  checks: readonly BudgetCheck[],
): Promise<PublishFacts> {
  const { batch, now } = turn;
  const shared = batch.factsFor(joint);
  const stillHolds = shared?.standings.every(({ room }, at) => {
    const check = checks[at];
    return check !== undefined && batch.hasRoom(check, room);
  });
  if (shared !== undefined && stillHolds) return shared;
  const [own] = await publishFacts(turn.tx, [joint.question], now);
  if (own === undefined) throw new Error('a one-row statement gave none');
  return own;
}

function refuse(error: BoardError): () => never {
  return () => {
    throw error;
  };
}

function stateRefusal(
  ticket: WriteTicket,
  facts: PublishFacts,
  { note, relayed }: Publisher,
  now: number,
): BoardError | null {
  const { replyTo, submitted } = ticket.draft;
  // The challenge of a relayed post was the other node's.
  if (facts.lockedUntil > now && relayed === undefined) {
    return challengeLocked(facts.lockedUntil, now);
  }
  const refusal = note === null ? null : keyRefusal(facts.key, note.seq);
  if (refusal !== null) return refusal;
  // A routed reply's target is judged by the funnel rule instead.
  if (replyTo === null || submitted.replyTo === null) return null;
  if (facts.target !== null && !facts.target.removed) return null;
  return noSuchTarget(replyTo);
}

async function write(
  ctx: Context,
  turn: Turn,
  ticket: WriteTicket,
  facts: PublishFacts,
  { network, note, relayed }: Publisher,
  rest: { text: TextIndex; spends: readonly Spend[] },
): Promise<() => PublishResult> {
  const { draft, requestId } = ticket;
  const { submitted, replyTo } = draft;
  turn.claim(requestId);
  const id = turn.takeMessageId();
  const rootId = draft.rootId ?? id;
  const pollId =
    submitted.poll === null ? null : await openPoll(turn, id, submitted.poll);
  const vote =
    submitted.vote === 0 || facts.target === null || replyTo === null
      ? null
      : await castReplyVote(turn, {
          messageId: replyTo,
          vote: submitted.vote,
          voteSecret: facts.target.voteSecret,
          voterKey: ctx.keys.voter,
          network,
          hiddenScore: ctx.limits.hidden_score_at_most,
        });
  const counted = vote?.outcome.status === 'published';
  const index = turn.append(
    {
      type: 'post',
      at: turn.at,
      id,
      root: rootId,
      via: relayed?.via ?? null,
      ...(note === null || vote === null
        ? {}
        : { voteResult: counted ? 'counted' : 'existing' }),
      ...(pollId === null ? {} : { poll: pollId }),
      embedded: note?.note ?? draft.statement,
    },
    {
      messageId: id,
      agentId: submitted.agentId,
      messageHash: Buffer.from(draft.messageHash, 'base64'),
    },
  );
  const keySeq = note?.seq ?? null;
  const { at, now } = turn;
  for (const spend of rest.spends) turn.batch.countSpend(spend);
  await turn.batch.pending.add(insertMessages, {
    ticket,
    id,
    rootId,
    index,
    keySeq,
    at,
    now,
    ...rest,
  });
  const published = {
    id,
    rootId,
    requestId,
    messageHash: draft.messageHash,
    vote: vote?.outcome ?? null,
    pollId,
    signed: note !== null,
    index,
  };
  let receipt: Receipt | null = null;
  turn.onSigned((head) => {
    receipt = receiptOf(ctx.config.baseUrl, published, head);
    return {
      requestId,
      contentHash: ticket.contentHash,
      messageId: id,
      receipt: JSON.stringify(receipt),
    };
  });
  return () => {
    if (vote?.hidden) ctx.events.emit('hidden');
    if (pollId !== null) ctx.events.emit('polls');
    if (receipt === null) throw new Error('a commit without a signed head');
    return { status: 201, receipt };
  };
}
