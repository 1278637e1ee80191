import { randomBytes } from 'node:crypto';
import { toBase64 } from '../../protocol/bytes.js';
import type { Content, PollContent } from '../../protocol/content.js';
import type { EmbeddedPost, PostEntry } from '../../protocol/entry.js';
import { messageHash } from '../../protocol/statement.js';
import { Poll } from '../../server/db/entities/poll.js';
import { WriteRequest } from '../../server/db/entities/ticket.js';
import type { Tx } from '../../server/db/sql.js';
import type { SignedHead } from '../../server/ledger/append.js';
import {
  type PollDraft,
  type Proposal,
  recordPollEvent,
} from '../../server/polls/index.js';
import {
  contentIdentity,
  type Draft,
  insertMessages,
  receiptOf,
  textIndex,
} from '../../server/posting/index.js';
import { recordVote } from '../../server/votes/index.js';
import { LOST, lostSalt } from './lost-texts.js';
import type { RestoreParts } from './restore-log.js';

const HOUR_MS = 3_600_000;

/** Text null where no mirror kept it. */
export type RestoredPost = {
  entry: PostEntry;
  index: number;
  post: EmbeddedPost;
  content: Content | null;
  keySeq: number | null;
};

/** The secret of its votes is new, so guests' votes are lost. */
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
      ticket: { hash: randomBytes(32), requestId: statement.request, draft },
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
  await tx.manager.insert(WriteRequest, {
    requestId: statement.request,
    // No client can show the same content as a lost text.
    contentHash: restored.content === null ? randomBytes(32) : identity,
    messageId: entry.id,
    receipt: JSON.stringify(receiptOf(parts.baseUrl, published, head)),
    at: entry.at,
  });
}

function draftOf(
  { entry, post, content }: RestoredPost,
  poll: PollDraft | null,
): Draft {
  const { statement, text } = post;
  const hash = messageHash(text);
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
    salt: toBase64(content?.salt ?? lostSalt(hash)),
    statement: text,
    messageHash: toBase64(hash),
  };
}

function pollOf(content: PollContent | undefined): PollDraft | null {
  if (content === undefined) return null;
  const { question, options, duration_hours: durationHours } = content;
  const shared = { question, durationHours };
  if (options !== undefined) {
    return { ...shared, type: 'survey', options, proposal: null };
  }
  const kind = content.kind as Proposal['kind'];
  const proposal = { kind, summary: content.summary ?? '' };
  const fixed = ['support', 'oppose', 'abstain'];
  return { ...shared, type: 'proposal', options: fixed, proposal };
}

/** Also without texts: the poll's ID stays taken. */
async function restorePoll(
  tx: Tx,
  { id, at }: PostEntry,
  pollId: number,
  poll: PollDraft | null,
): Promise<void> {
  const hours = poll?.durationHours ?? 720;
  const closesAt = Math.floor(at / 1000) * 1000 + hours * HOUR_MS;
  await tx.manager.insert(Poll, {
    id: pollId,
    rootId: id,
    type: poll?.type ?? 'survey',
    question: poll?.question ?? null,
    options: poll === null ? null : [...poll.options],
    kind: poll?.proposal?.kind ?? null,
    summary: poll?.proposal?.summary ?? null,
    durationHours: hours,
    secret: randomBytes(32),
    createdAt: at,
    closesAt,
    counts: Array<number>(poll?.options.length ?? 2).fill(0),
  });
  await recordPollEvent(tx, pollId, 'opened', { closes_at: closesAt }, at);
}

/** Its network is unknown, so the voter is random. */
async function restoreVote(
  tx: Tx,
  { limits }: RestoreParts,
  { entry, post }: RestoredPost,
) {
  const { vote, parent } = post.statement;
  if (vote === undefined || parent === null) return null;
  const cast =
    entry.voteResult === 'counted'
      ? await recordVote(tx, {
          messageId: parent.id,
          voter: randomBytes(32),
          value: vote,
          at: entry.at,
          hiddenScore: limits.hidden_score_at_most,
        })
      : null;
  return {
    message_id: parent.id,
    vote,
    score: cast?.score ?? 0,
    status: cast === null ? ('already_voted' as const) : ('published' as const),
  };
}
