import { randomBytes } from 'node:crypto';
import { toBase64 } from '../../protocol/bytes.js';
import type { Context } from '../context.js';
import { openPollsRefusal } from '../polls/open-polls-limit.js';
import { voterHash } from '../tickets/network-hash.js';
import type { SeriesRefusal } from './answers.js';
import {
  announcementWarnings,
  type Warning,
} from './content-rules/announcement.js';
import {
  funnelTarget,
  type Routing,
  routingOf,
} from './content-rules/funnel.js';
import { seriesAnswer, seriesTopics } from './content-rules/series.js';
import { traitsOf } from './content-rules/traits.js';
import { type Draft, makeDraft, type Parent } from './draft.js';
import {
  type AcceptedWrite,
  noSuchTarget,
  type PreviewFacts,
  type Target,
} from './preview-facts.js';
import { type Signing, signingKey, signingOf } from './signing.js';
import { pollOnReply, type Submission } from './submission.js';

/** A message ready to be shown and ticketed. */
export type Prepared = {
  draft: Draft;
  existingVote: -1 | 1 | null;
  routing: Routing | null;
  warnings: Warning[];
  /** What is to be signed; null for a guest. */
  signing: Signing | null;
};

type Unsigned = Omit<Prepared, 'signing'>;

/**
 * Decides what a submission would become if it were published now. A
 * request_id that was accepted before skips every rule: its ticket can only
 * answer with the receipt or a conflict (spec/board.md §4.3).
 */
export async function prepare(
  ctx: Context,
  it: Submission,
  facts: PreviewFacts,
  contentHash: Buffer,
  network: Uint8Array,
  now: number,
): Promise<Prepared | SeriesRefusal> {
  const key = await signingKey(ctx, it, facts.accepted !== null);
  const prepared = await effective(ctx, it, facts, contentHash, network, now);
  if ('status' in prepared) return prepared;
  return { ...prepared, signing: signingOf(prepared.draft.statement, key) };
}

async function effective(
  ctx: Context,
  it: Submission,
  facts: PreviewFacts,
  contentHash: Buffer,
  network: Uint8Array,
  now: number,
): Promise<Unsigned | SeriesRefusal> {
  if (facts.accepted !== null) {
    const again = draftOf(ctx, it, facts.target, now);
    const same = facts.accepted.contentHash.equals(contentHash);
    return plain(same ? asAccepted(again, facts.accepted) : again);
  }
  if (it.replyTo === null) return await prepareTopic(ctx, it, now);
  if (facts.target === null || facts.target.removed) {
    throw noSuchTarget(it.replyTo);
  }
  const prepared = plain(draftOf(ctx, it, facts.target, now));
  if (it.vote === 0) return prepared;
  const existingVote = await voteOf(ctx, facts.target, network);
  return { ...prepared, existingVote };
}

async function prepareTopic(
  ctx: Context,
  it: Submission,
  now: number,
): Promise<Unsigned | SeriesRefusal> {
  const { baseUrl, funnelPhrases } = ctx.config;
  const traits = traitsOf(it.title ?? '', it.body, funnelPhrases);
  const target = await funnelTarget(ctx.writes, traits.funnelPhrases);
  if (target !== null) {
    if (it.poll !== null) throw pollOnReply();
    return {
      ...plain(draftOf(ctx, it, target, now)),
      routing: routingOf(target),
    };
  }
  const series = await seriesTopics(ctx.writes, traits, now, baseUrl);
  if (series.length > 0) {
    return {
      status: 'series_requires_reply',
      request_id: it.requestId,
      ...seriesAnswer(it, series, baseUrl),
    };
  }
  const refusal =
    it.poll === null
      ? null
      : await openPollsRefusal(ctx.writes, ctx.limits, now);
  if (refusal !== null) throw refusal;
  return {
    ...plain(draftOf(ctx, it, null, now)),
    warnings: await announcementWarnings(ctx.writes, traits, it, baseUrl),
  };
}

function draftOf(
  ctx: Context,
  it: Submission,
  parent: Parent | null,
  at: number,
): Draft {
  const salt = it.salt ?? randomBytes(16);
  const board = ctx.board.name;
  return makeDraft({ it, parent, salt, board, at });
}

function plain(draft: Draft): Unsigned {
  return { draft, existingVote: null, routing: null, warnings: [] };
}

/** The same words as accepted, so the accepted message is what is shown. */
export function asAccepted(
  draft: Draft,
  accepted: Omit<AcceptedWrite, 'messageId' | 'rootId'> & {
    rootId: number | null;
  },
): Draft {
  const { salt } = accepted;
  return {
    ...draft,
    room: accepted.room,
    replyTo: accepted.replyTo,
    rootId: accepted.rootId,
    title: accepted.replyTo === null ? draft.submitted.title : null,
    salt: salt === null ? draft.salt : toBase64(salt),
    statement: accepted.statement,
    messageHash: toBase64(accepted.messageHash),
  };
}

async function voteOf(
  ctx: Context,
  target: Target,
  network: Uint8Array,
): Promise<-1 | 1 | null> {
  const voter = voterHash(ctx.keys.voter, target.voteSecret, network);
  const [vote] = await ctx.writes.query<{ value: -1 | 1 }>(
    'SELECT value FROM vote WHERE message_id = $1 AND voter = $2',
    [target.id, voter],
  );
  return vote?.value ?? null;
}
