import { contentToJson } from '../../protocol/content.js';
import { publicTime } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import { boardKey } from '../../server/db/budgets.js';
import { takeAll } from '../../server/db/budgets.sql.js';
import { WriteRequest } from '../../server/db/entities/ticket.js';
import type { RelayTags } from '../../server/http/rate-limits/write-limits.js';
import { type Job, LATER, refuse } from '../../server/ledger/append.js';
import { readKeyState } from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import {
  budgetRefusal,
  keyRefusal,
  noSuchTarget,
  payers,
  relayChecks,
  requestConflict,
  writeSpends,
} from '../../server/posting/index.js';
import type { RelayPending, RelayState } from '../../server/tickets/index.js';
import type {
  RelayedAnswer,
  RelayedFacts,
  RelayedPost,
  RelayedRequest,
  RelayPort,
} from '../mesh-ports.js';
import { HOLD_MS, Outbox } from './outbox.js';
import {
  findOutboxRow,
  type OutboxRow,
  storePending,
} from './outbox-rows.sql.js';
import { errorOf } from './relay-errors.js';
import { targetPeer } from './relay-peer.js';
import { mirrored, relayedFacts } from './relayed-facts.js';
import type { Outbound } from './send-relay.js';

/** spec/mesh.md §B10 */
export class RelayService implements RelayPort {
  readonly outbox: Outbox;

  constructor(
    private readonly ctx: Context,
    client: Outbound,
  ) {
    this.outbox = new Outbox(ctx, client);
  }

  facts(
    request: RelayedRequest,
    replyTo: number | null,
  ): Promise<RelayedFacts> {
    return relayedFacts(this.ctx.writes, request, replyTo);
  }

  async again(request: RelayedRequest): Promise<RelayedAnswer | null> {
    const row = await findOutboxRow(this.ctx.writes, request.requestId);
    if (row === null || row.state === 'failed') return null;
    return await this.answerOf(row, request);
  }

  async post(post: RelayedPost): Promise<RelayedAnswer> {
    const { ctx } = this;
    const { originId } = await targetPeer(ctx.writes, post.board);
    if (post.replyTo !== null) {
      const parent = await mirrored(ctx.writes, originId, post.replyTo);
      if (parent === null || parent.removed) throw noSuchTarget(post.replyTo);
    }
    const tags = await ctx.networkKeys.relayTags(post.network);
    const known = await ctx.ledger.append(claimJob(ctx, post, tags));
    if (known !== null) return await this.answerOf(known, post);
    const fresh = await this.outbox.attempt(post.requestId, true);
    const answer = await this.stateAnswer(post.requestId, fresh);
    return { ...answer, isNew: true };
  }

  async state(requestId: string): Promise<RelayState | null> {
    const row = await findOutboxRow(this.ctx.reads, requestId);
    return row === null ? null : stateOf(row);
  }

  /** For a repeated request, which may try again. */
  private async answerOf(
    row: OutboxRow,
    { requestId, board, contentHash }: RelayedRequest,
  ): Promise<RelayedAnswer> {
    if (row.board !== board || !row.contentHash.equals(contentHash)) {
      throw requestConflict(requestId);
    }
    if (row.state === 'pending') await this.outbox.attempt(requestId, true);
    return await this.stateAnswer(requestId, false);
  }

  private async stateAnswer(
    requestId: string,
    fresh: boolean,
  ): Promise<RelayedAnswer> {
    const row = await findOutboxRow(this.ctx.writes, requestId);
    if (row === null) throw new Error('a post that was taken is gone');
    if (row.state === 'failed') throw errorOf(row.error);
    if (row.state === 'pending') {
      return { status: 202, body: this.pending(row) };
    }
    return fresh
      ? { status: 201, body: { ...row.receipt, status: 'published' } }
      : { status: 200, body: { ...row.receipt, status: 'already_published' } };
  }

  private pending({ board, requestId, updatedAt }: OutboxRow): RelayPending {
    const { baseUrl } = this.ctx.config;
    return {
      status: 'relay_pending',
      board,
      request_id: requestId,
      updated_at: publicTime(updatedAt),
      detail: `${board} has not answered; this node tries again until 23 hours after the time in the statement. Do not post it as a new message: the same request_id is the same message.`,
      status_url: `${baseUrl}/api/requests/${requestId}`,
    };
  }
}

/** `GET /api/requests/{uuid}` for another board (spec/mesh.md §B10). */
function stateOf(row: OutboxRow): RelayState {
  const kept = {
    kind: 'message' as const,
    board: row.board,
    request_id: row.requestId,
    updated_at: publicTime(row.updatedAt),
  };
  switch (row.state) {
    case 'pending':
      return { status: 'relay_pending', ...kept };
    case 'failed': {
      const error = row.error as NonNullable<RelayState['error']>;
      return { status: 'failed', ...kept, error };
    }
    case 'published': {
      const { message } = row.receipt;
      const receipt = { ...row.receipt, status: 'published' as const };
      return { status: 'published', ...kept, message, receipt };
    }
  }
}

/**
 * Under the head lock, though nothing is appended: one request_id becomes one
 * message, here or elsewhere, within budgets. Returns an earlier row (pending
 * or published), else null.
 */
function claimJob(
  ctx: Context,
  post: RelayedPost,
  tags: RelayTags,
): Job<OutboxRow | null> {
  const { requestId, agentId } = post;
  return async (context) => {
    if (context.isClaimed(requestId)) return LATER;
    const { tx, now } = context;
    if (await tx.manager.existsBy(WriteRequest, { requestId })) {
      return refuse(requestConflict(requestId));
    }
    const known = await findOutboxRow(tx, requestId);
    if (known !== null && known.state !== 'failed') return () => known;
    const key = await readKeyState(tx, OWN_LOG, agentId);
    const refusal = keyRefusal(key, post.keySeq);
    if (refusal !== null) return refuse(refusal);
    const paying = payers(post.counters, post.previewCounters, null, now);
    const checks = relayChecks(paying, post.isTopic);
    const { limits } = ctx;
    const { blocked } = await takeAll(tx, { checks, limits, now });
    if (blocked !== null) {
      const { again } = post;
      return refuse(budgetRefusal(blocked, ctx.config.baseUrl, again));
    }
    const spends = writeSpends(paying, post.isTopic).filter(
      ({ key }) => key !== boardKey.today,
    );
    await storePending(tx, {
      requestId,
      board: post.board,
      agentId,
      contentHash: post.contentHash,
      messageHash: post.messageHash,
      note: post.note,
      datedAt: post.datedAt,
      content: JSON.stringify(contentToJson(post.content)),
      day: tags.day,
      tag: tags.today,
      tagNext: tags.tomorrow,
      // For a refund if the post is refused.
      spentScopes: spends.map(({ scope }) => scope),
      spentKeys: spends.map(({ key }) => key),
      spentAt: now,
      nextAt: now + HOLD_MS,
    });
    return () => null;
  };
}
