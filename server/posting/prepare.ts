import { randomBytes } from 'node:crypto';
import type { RelayedFacts, RelayPort } from '../../mesh/mesh-ports.js';
import { toBase64 } from '../../protocol/bytes.js';
import type { Context } from '../context.js';
import { Message } from '../db/entities/message.js';
import { Vote } from '../db/entities/vote.js';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { type OpenPolls, openPolls } from '../polls/index.js';
import {
  type Receipt,
  type RelayReceipt,
  voterHash,
} from '../tickets/index.js';
import type { PreviewWarning, Routing, SeriesRefusal } from './answers.js';
import {
  asReply,
  funnelTarget,
  routingOf,
  seriesAnswer,
  seriesTopics,
  topicsOf,
} from './content-rules/topic-rules.js';
import { type Traits, traitsOf } from './content-rules/traits.js';
import { type Draft, makeDraft, type Parent } from './draft.js';
import {
  type AcceptedWrite,
  noSuchTarget,
  type PreviewFacts,
  type Target,
} from './preview-facts.js';
import { type Signing, signingKey, signingOf } from './signing.js';
import { pollOnReply, type Submission } from './submission.js';

export type Prepared = {
  draft: Draft;
  existingVote: -1 | 1 | null;
  routing: Routing | null;
  warnings: PreviewWarning[];
  accepted: AcceptedBefore | null;
  openPolls: OpenPolls | null;
  signing: Signing | null;
};

export type AcceptedBefore = {
  isSame: boolean;
  receipt: Receipt | RelayReceipt | null;
};

type Unsigned = Omit<Prepared, 'signing'>;

/**
 * What publishing now would make of it. An accepted request_id skips every
 * rule: its ticket answers with the receipt or a conflict (spec/board.md §4.3).
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
    const receipt = JSON.parse(facts.accepted.receipt) as Receipt;
    const isSame = facts.accepted.contentHash.equals(contentHash);
    const draft = isSame ? asAccepted(again, facts.accepted) : again;
    return { ...plain(draft), accepted: { isSame, receipt } };
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
  return {
    ...plain(draftOf(ctx, it, null, now)),
    openPolls:
      it.poll === null ? null : await openPolls(ctx.writes, ctx.limits, now),
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
  return {
    draft,
    existingVote: null,
    routing: null,
    warnings: [],
    accepted: null,
    openPolls: null,
  };
}

function asAccepted(
  draft: Draft,
  accepted: Omit<AcceptedWrite, 'rootId' | 'receipt'> & {
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
  { id: messageId, voteSecret }: Target,
  network: Uint8Array,
): Promise<Prepared['existingVote']> {
  const voter = voterHash(ctx.keys.voter, voteSecret, network);
  const vote = await ctx.writes.manager.findOneBy(Vote, { messageId, voter });
  return vote?.value ?? null;
}

/**
 * For another board (spec/mesh.md §B10): the parent is mirrored; that board
 * judges series, announcements and, at first, the funnel.
 * @throws BoardError `unknown_board`, `origin_unreachable`,
 *   `vote_not_portable`, `key_unknown`, `key_revoked`, `key_conflicted`,
 *   `invalid_input` (reply_to), `poll_not_allowed_on_reply`
 */
export async function prepareRelayed(
  ctx: Context & { relay: RelayPort },
  it: Submission & { board: string },
  contentHash: Buffer,
  now: number,
): Promise<Prepared> {
  const { board, requestId, replyTo } = it;
  const asked = { board, requestId, contentHash };
  const facts = await ctx.relay.facts(asked, replyTo);
  if (it.vote !== 0) throw voteStays();
  const { accepted } = facts;
  const key = await signingKey(ctx, it, accepted !== null);
  const routing = accepted === null ? facts.routing : null;
  if (routing !== null && it.poll !== null) throw pollOnReply();
  const parent = accepted === null ? parentOf(it, facts) : facts.parent;
  const salt = it.salt ?? randomBytes(16);
  const made = makeDraft({ it, parent, salt, board, at: now });
  // Without its salt nobody could check the accepted statement.
  const isSame = accepted?.contentHash.equals(contentHash) ?? false;
  const draft = isSame && accepted?.salt ? asAccepted(made, accepted) : made;
  const signing = signingOf(draft.statement, key);
  if (accepted !== null) {
    const { receipt } = accepted;
    return { ...plain(draft), accepted: { isSame, receipt }, signing };
  }
  if (routing === null) return { ...plain(draft), signing };
  const { phrase, target, reason } = routing;
  const shown = {
    rule: 'funnel',
    phrase,
    target_id: target.id,
    reason,
  } as const;
  return { ...plain(draft), routing: shown, signing };
}

function parentOf(it: Submission, facts: RelayedFacts): Parent | null {
  if (it.replyTo === null) return facts.routing?.target ?? null;
  if (facts.parent !== null && !facts.parent.removed) return facts.parent;
  throw noSuchTarget(it.replyTo);
}

function voteStays(): BoardError {
  return new BoardError(
    'vote_not_portable',
    'A rating counts once per network, which only the board itself can see; leave vote out, or post this on that board.',
    { field: 'vote' },
  );
}

/** For a project with a topic; never a refusal (spec/board.md §4.7). */
async function announcementWarnings(
  sql: Sql,
  traits: Traits,
  it: Submission,
  baseUrl: string,
): Promise<PreviewWarning[]> {
  if (!traits.promotion) return [];
  const rows = await sql.manager
    .createQueryBuilder(Message, 'm')
    .select(['m.id', 'm.title'])
    .where('m.projectKeys && :keys', { keys: traits.projectKeys })
    .andWhere('m.replyTo IS NULL AND m.removedAt IS NULL')
    .orderBy('m.id', 'DESC')
    .limit(5)
    .getMany();
  const [newest] = rows;
  if (newest === undefined) return [];
  return [
    {
      code: 'project_topic_exists',
      existing_topics: topicsOf(rows, baseUrl),
      new_topic_allowed: true,
      suggested_action: asReply(
        it,
        newest.id,
        baseUrl,
        'This project has a topic. Preview your text as a reply there, or publish this ticket unchanged as a new topic.',
      ),
    },
  ];
}
