import type { Context } from '../context.js';
import {
  type BudgetCheck,
  blockedLimit,
  type CounterKeys,
  type Spend,
} from '../db/budgets.js';
import { only } from '../db/sql.js';
import type { BoardError } from '../errors.js';
import {
  type AppendContext,
  type BatchJob,
  LATER,
  refuse,
} from '../ledger/append.js';
import { openPoll } from '../polls/index.js';
import {
  type CastRating,
  challengeLocked,
  type Receipt,
  voterHash,
} from '../tickets/index.js';
import { type NewVote, recordVote } from '../votes/index.js';
import { budgetRefusal, pollRequestAgain } from './budgets.js';
import { topicRefusal } from './content-rules/topic-rules.js';
import {
  insertMessages,
  type TextIndex,
  textIndex,
} from './insert-messages.sql.js';
import { noSuchTarget } from './preview-facts.js';
import {
  type PublishFacts,
  type PublishQuestion,
  payers,
  publishFacts,
  type WriteTicket,
  writeChecks,
  writeSpends,
} from './publish-facts.js';
import { alreadyPublished, type PublishResult, receiptOf } from './receipt.js';
import { keyRefusal, type SignedNote } from './signing.js';

/** `note` of a signed ticket, verified. */
export type Publisher = {
  network: Uint8Array;
  counters: CounterKeys | null;
  note: SignedNote | null;
  /** Handed in by another node. */
  relayed?: Relayed;
};

/** Its board, and what that one spends (§B10). */
export type Relayed = {
  via: string;
  checks: readonly BudgetCheck[];
  spends: readonly Spend[];
};

export type PublishContext = Pick<
  Context,
  'config' | 'limits' | 'keys' | 'events'
>;

/** Rules on shared state, in the order of spec/board.md §5.1, then writes. */
export function publishJob(
  ctx: PublishContext,
  ticket: WriteTicket,
  publisher: Publisher,
): BatchJob<PublishResult, PublishFacts> {
  const { replyTo, agentId } = ticket.draft.submitted;
  const { relayed, counters } = publisher;
  const isTopic = replyTo === null;
  const text = textIndex(ticket.draft);
  const paying = (now: number) =>
    counters === null ? null : payers(counters, ticket.counters, agentId, now);
  const question: PublishQuestion = {
    ticket,
    checks: (now) => [
      ...writeChecks(paying(now), isTopic),
      ...(relayed?.checks ?? []),
    ],
    limits: ctx.limits,
  };
  const run = async (context: AppendContext, known?: PublishFacts) => {
    if (context.isClaimed(ticket.requestId)) return LATER;
    const checks = question.checks(context.now);
    const facts = await factsFor(context, question, checks, known);
    const { accepted } = facts;
    if (accepted !== null) return () => alreadyPublished(ticket, accepted);
    const refusal =
      stateRefusal(ticket, facts, publisher, context.now) ??
      (isTopic ? await topicRefusal(ctx, context, ticket) : null);
    if (refusal !== null) return refuse(refusal);
    const spent = facts.standings.map(({ blocked }) => blocked);
    const blocked = blockedLimit(checks, spent, context.now);
    if (blocked !== null) {
      const again = pollRequestAgain(ticket.draft, ticket.requestId);
      return refuse(budgetRefusal(blocked, ctx.config.baseUrl, again));
    }
    const spends = [
      ...writeSpends(paying(context.now), isTopic),
      ...(relayed?.spends ?? []),
    ];
    return await write(ctx, context, ticket, facts, publisher, {
      text,
      spends,
    });
  };
  return { run, reads: { read: publishFacts, question } };
}

/** Read for the batch, and again where earlier jobs may have filled a limit. */
async function factsFor(
  { batch, tx, now }: AppendContext,
  question: PublishQuestion,
  checks: readonly BudgetCheck[],
  known: PublishFacts | undefined,
): Promise<PublishFacts> {
  const stillHolds = known?.standings.every(({ room }, at) => {
    const check = checks[at];
    return check !== undefined && batch.hasRoom(check, room);
  });
  if (known !== undefined && stillHolds) return known;
  await batch.buffer.flush();
  return only(await publishFacts(tx, [question], now));
}

function stateRefusal(
  ticket: WriteTicket,
  facts: PublishFacts,
  { note, relayed }: Publisher,
  now: number,
): BoardError | null {
  const { replyTo, submitted } = ticket.draft;
  // Another node asked a relayed post's challenge.
  if (facts.lockedUntil > now && relayed === undefined) {
    return challengeLocked(facts.lockedUntil, now);
  }
  const refusal = note === null ? null : keyRefusal(facts.key, note.seq);
  if (refusal !== null) return refusal;
  // The funnel rule judges a routed reply's target.
  if (replyTo === null || submitted.replyTo === null) return null;
  if (facts.target !== null && !facts.target.removed) return null;
  return noSuchTarget(replyTo);
}

async function write(
  ctx: PublishContext,
  context: AppendContext,
  ticket: WriteTicket,
  facts: PublishFacts,
  { network, note, relayed }: Publisher,
  rest: { text: TextIndex; spends: readonly Spend[] },
): Promise<() => PublishResult> {
  const { draft, requestId } = ticket;
  const { submitted, replyTo } = draft;
  const { batch, at, now } = context;
  context.claim(requestId);
  const id = context.takeMessageId();
  const rootId = draft.rootId ?? id;
  let pollId: number | null = null;
  if (submitted.poll !== null) {
    await batch.buffer.flush();
    pollId = await openPoll(context, id, submitted.poll);
  }
  const vote =
    submitted.vote === 0 || facts.target === null || replyTo === null
      ? null
      : await recordReplyVote(context, {
          messageId: replyTo,
          voter: voterHash(ctx.keys.voter, facts.target.voteSecret, network),
          value: submitted.vote,
          at: now,
          hiddenScore: ctx.limits.hidden_score_at_most,
        });
  const counted = vote?.outcome.status === 'published';
  const index = context.append(
    {
      type: 'post',
      at,
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
      rootId,
    },
  );
  const keySeq = note?.seq ?? null;
  for (const spend of rest.spends) batch.countSpend(spend);
  await batch.buffer.add(insertMessages, {
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
  context.onSigned((head) => {
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

/** An existing vote stays. `hidden`: the vote hid its topic. */
async function recordReplyVote(
  { batch, tx }: AppendContext,
  it: NewVote,
): Promise<{ outcome: CastRating; hidden: boolean }> {
  await batch.buffer.flush();
  const recorded = await recordVote(tx, it);
  if (recorded === null) {
    throw new Error('a target under the lock was not found');
  }
  const { value, score, fresh, hidden } = recorded;
  const status: CastRating['status'] = fresh ? 'published' : 'already_voted';
  const outcome = { message_id: it.messageId, vote: value, score, status };
  return { outcome, hidden };
}
