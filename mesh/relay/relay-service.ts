import { publicTime } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import type {
  RelayPending,
  RelayState,
} from '../../server/http/openapi/relay.js';
import { noSuchTarget } from '../../server/posting/preview-facts.js';
import { requestConflict } from '../../server/posting/receipt.js';
import type {
  ForeignAnswer,
  ForeignFacts,
  ForeignPost,
  ForeignRequest,
  OtherBoards,
} from '../mesh-ports.js';
import { claimJob } from './claim-job.js';
import { Outbox } from './outbox.js';
import { findOutboxRow, type OutboxRow } from './outbox-rows.js';
import { errorOf } from './outcome-error.js';
import { targetPeer } from './relay-peer.js';
import { foreignFacts, mirrored } from './relayed-facts.js';
import type { Outbound } from './send-relay.js';

/** Posting to other boards through this node (spec/mesh.md §B10). */
export class Elsewhere implements OtherBoards {
  readonly outbox: Outbox;

  constructor(
    private readonly ctx: Context,
    client: Outbound,
  ) {
    this.outbox = new Outbox(ctx, client);
  }

  facts(
    request: ForeignRequest,
    replyTo: number | null,
  ): Promise<ForeignFacts> {
    return foreignFacts(this.ctx.writes, request, replyTo);
  }

  async again(request: ForeignRequest): Promise<ForeignAnswer | null> {
    const row = await findOutboxRow(this.ctx.writes, request.requestId);
    if (row === null || row.state === 'failed') return null;
    return await this.answerOf(row, request);
  }

  async post(post: ForeignPost): Promise<ForeignAnswer> {
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
    return await this.stateAnswer(post.requestId, fresh);
  }

  async state(requestId: string): Promise<RelayState | null> {
    const row = await findOutboxRow(this.ctx.reads, requestId);
    return row === null ? null : stateOf(row);
  }

  start(): void {
    this.outbox.start();
  }

  async stop(): Promise<void> {
    await this.outbox.stop();
  }

  /** Of a request that was taken before; asking again is a try of its own. */
  private async answerOf(
    row: OutboxRow,
    { requestId, board, contentHash }: ForeignRequest,
  ): Promise<ForeignAnswer> {
    if (row.board !== board || !row.contentHash.equals(contentHash)) {
      throw requestConflict(requestId);
    }
    if (row.state === 'pending') await this.outbox.attempt(requestId, true);
    return await this.stateAnswer(requestId, false);
  }

  private async stateAnswer(
    requestId: string,
    fresh: boolean,
  ): Promise<ForeignAnswer> {
    const row = await findOutboxRow(this.ctx.writes, requestId);
    if (row === null) throw new Error('a post that was taken is gone');
    if (row.state === 'failed') throw errorOf(row.error);
    if (row.state === 'pending')
      return { status: 202, body: this.pending(row) };
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
      detail: `${board} has not answered; this node tries again until 23 hours after the time in the statement. Do not post it anew: the same request_id is the same message.`,
      status_url: `${baseUrl}/api/requests/${requestId}`,
    };
  }
}

/**
 * `GET /api/requests/{uuid}` of a post for another board (spec/mesh.md §B10).
 */
function stateOf(row: OutboxRow): RelayState {
  const kept = {
    board: row.board,
    request_id: row.requestId,
    updated_at: publicTime(row.updatedAt),
  };
  switch (row.state) {
    case 'pending':
      return { status: 'relay_pending', ...kept };
    case 'failed':
      return {
        status: 'failed',
        ...kept,
        error: row.error as NonNullable<RelayState['error']>,
      };
    case 'published': {
      const { receipt } = row;
      return {
        status: 'published',
        ...kept,
        message: receipt.message,
        receipt: { ...receipt, status: 'published' },
      };
    }
  }
}
