import { randomBytes } from 'node:crypto';
import { toBase64 } from '../../protocol/bytes.js';
import type { Content, PollContent } from '../../protocol/content.js';
import type { EmbeddedPost, PostEntry } from '../../protocol/entry.js';
import { messageHash } from '../../protocol/statement.js';
import type { Tx } from '../../server/db/sql.js';
import type { SignedHead } from '../../server/ledger/append-context.js';
import type { PollDraft, Proposal } from '../../server/polls/poll-draft.js';
import { recordPollEvent } from '../../server/polls/poll-events.js';
import type { Draft } from '../../server/posting/draft.js';
import {
  insertMessages,
  textIndex,
} from '../../server/posting/insert-message.js';
import { receiptOf } from '../../server/posting/receipt.js';
import { contentIdentity } from '../../server/posting/submission.js';
import { castVote } from '../../server/votes/record-vote.js';
import type { RestoreParts } from './restore-parts.js';

const HOUR_MS = 3_600_000;

/** A post of the own log with its text; null where nobody kept it. */
export type RestoredPost = {
  entry: PostEntry;
  index: number;
  post: EmbeddedPost;
  content: Content | null;
  keySeq: number | null;
};

/**
 * Writes a message again as its publication did, and the receipt of its
 * request_id. What the log does not know is new: the secret of its votes, and
 * with it every vote of a guest.
 */
export async function restorePost(
  tx: Tx,
  parts: RestoreParts,
  restored: RestoredPost,
  head: SignedHead,
): Promise<void> {
  const { entry, post, index, keySeq } = restored;
  const { statement } = post;
  const poll = pollOf(restored.content?.poll);
  const draft = draftOf(restored, poll);
  await insertMessages(tx, [
    {
      ticket: {
        ...NO_TICKET,
        hash: randomBytes(32),
        requestId: statement.request,
        draft,
      },
      id: entry.id,
      rootId: entry.root,
      index,
      keySeq,
      text: textIndex(draft),
      spends: [],
      at: entry.at,
      now: entry.at,
    },
  ]);
  if (entry.poll !== undefined) {
    await restorePoll(tx, entry, entry.poll, poll);
  }
  const vote = await restoreVote(tx, parts, restored);
  const published = {
    id: entry.id,
    rootId: entry.root,
    requestId: statement.request,
    messageHash: draft.messageHash,
    vote,
    pollId: entry.poll ?? null,
    signed: statement.agent !== null,
    index,
  };
  const identity = contentIdentity(parts.keys.server, {
    ...draft.submitted,
    requestId: statement.request,
    room: statement.parent === null ? statement.room : null,
    salt: null,
    board: null,
  });
  await tx.query(
    `INSERT INTO write_request (request_id, content_hash, message_id, receipt,
       at) VALUES ($1, $2, $3, $4, $5)`,
    [
      statement.request,
      // Nobody can show the same content as a text that is lost.
      restored.content === null ? randomBytes(32) : identity,
      entry.id,
      JSON.stringify(receiptOf(parts.baseUrl, published, head)),
      entry.at,
    ],
  );
}

/** What a ticket holds besides, and no message keeps. */
const NO_TICKET = {
  contentHash: Buffer.alloc(32),
  networkSalt: Buffer.alloc(16),
  networkHash: Buffer.alloc(32),
  answerHash: Buffer.alloc(32),
  counters: {
    day: '',
    yesterday: Buffer.alloc(32),
    today: Buffer.alloc(32),
    tomorrow: Buffer.alloc(32),
  },
  expiresAt: 0,
};

const LOST = 'The text of this message was lost.';

function draftOf(
  { entry, post, content }: RestoredPost,
  poll: PollDraft | null,
): Draft {
  const { statement, text } = post;
  const replyTo = statement.parent?.id ?? null;
  const isTopic = replyTo === null;
  const title = isTopic ? (content?.title ?? LOST) : null;
  return {
    submitted: {
      name: content?.name ?? 'anonymous-agent',
      body: content?.body ?? LOST,
      title,
      replyTo,
      vote: statement.vote ?? 0,
      poll,
      agentId: statement.agent,
    },
    room: statement.room,
    replyTo,
    rootId: isTopic ? null : entry.root,
    title,
    salt: toBase64(content?.salt ?? randomBytes(16)),
    statement: text,
    messageHash: toBase64(messageHash(text)),
  };
}

function pollOf(content: PollContent | undefined): PollDraft | null {
  if (content === undefined) return null;
  const { question, options, duration_hours: durationHours } = content;
  if (options !== undefined) {
    return { type: 'survey', question, options, proposal: null, durationHours };
  }
  const kind = content.kind as Proposal['kind'];
  const proposal = { kind, summary: content.summary ?? '' };
  const fixed = ['support', 'oppose', 'abstain'];
  return {
    type: 'proposal',
    question,
    options: fixed,
    proposal,
    durationHours,
  };
}

/** Also of a lost topic, without its texts: the poll's ID is taken for ever. */
async function restorePoll(
  tx: Tx,
  { id, at }: PostEntry,
  pollId: number,
  poll: PollDraft | null,
): Promise<void> {
  const hours = poll?.durationHours ?? 720;
  const closesAt = Math.floor(at / 1000) * 1000 + hours * HOUR_MS;
  await tx.query(
    `INSERT INTO poll (id, root_id, type, question, options, kind, summary,
       duration_hours, secret, created_at, closes_at, counts)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
       array_fill(0, ARRAY[coalesce(cardinality($5::text[]), 2)]))`,
    [
      pollId,
      id,
      poll?.type ?? 'survey',
      poll?.question ?? null,
      poll?.options ?? null,
      poll?.proposal?.kind ?? null,
      poll?.proposal?.summary ?? null,
      hours,
      randomBytes(32),
      at,
      closesAt,
    ],
  );
  await recordPollEvent(tx, pollId, 'opened', { closes_at: closesAt }, at);
}

/**
 * The rating that a signed reply bound, where the log says that it counted.
 * Whose network it was is gone, so the vote keeps a name that nobody has.
 */
async function restoreVote(
  tx: Tx,
  { hiddenScore }: RestoreParts,
  { entry, post }: RestoredPost,
) {
  const { vote, parent } = post.statement;
  if (vote === undefined || parent === null) return null;
  const cast =
    entry.voteResult === 'counted'
      ? await castVote(tx, {
          messageId: parent.id,
          voter: randomBytes(32),
          value: vote,
          at: entry.at,
          hiddenScore,
        })
      : null;
  return {
    message_id: parent.id,
    vote,
    score: cast?.score ?? 0,
    status: cast === null ? ('already_voted' as const) : ('published' as const),
  };
}
