import { createHash, randomBytes } from 'node:crypto';
import { IsNull } from 'typeorm';
import { equalBytes, toBase64 } from '../../protocol/bytes.js';
import type { Content, PollContent } from '../../protocol/content.js';
import type { EmbeddedPost, Entry, PostEntry } from '../../protocol/entry.js';
import type { FeedPage, VerifiedPage } from '../../protocol/feed-page.js';
import { stepKeyChain } from '../../protocol/key.js';
import { messageHash } from '../../protocol/statement.js';
import { LogState } from '../../server/db/entities/log.js';
import { Message } from '../../server/db/entities/message.js';
import { Poll } from '../../server/db/entities/poll.js';
import { WriteRequest } from '../../server/db/entities/ticket.js';
import type { Sql, Tx } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import type { SignedHead } from '../../server/ledger/append.js';
import { lockHead } from '../../server/ledger/head.sql.js';
import {
  loadKeyChain,
  readKeyState,
  storeKeySteps,
} from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
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
import { headNote, moveCursor, reachedHead } from '../pull/store/apply-page.js';
import { storeLog } from '../pull/store/log.sql.js';
import { entryRow } from '../pull/verify/judged.js';
import { type ParsedLeaf, parseLeaf } from '../pull/verify/prepare-page.js';
import {
  restoreDecision,
  restorePollEnd,
  restoreRemoval,
} from './restore-decision.js';
import type { RestoreParts } from './restore-log.js';

/**
 * Writes a verified page of our log with its effects; returns the number of
 * messages. `contents` are verified, by index; `lost` collects ids without
 * text.
 */
export async function restorePage(
  tx: Tx,
  parts: RestoreParts,
  page: FeedPage,
  verified: VerifiedPage,
  contents: ReadonlyMap<number, Content>,
  lost: Set<number>,
): Promise<number> {
  const head = await lockHead(tx);
  const { from } = page;
  if (head.frontier.size !== from) {
    throw new BoardError(
      'decision_conflict',
      'Another command or a node wrote this log meanwhile. What was pulled stays; stop the other one and run the command again.',
    );
  }
  const leaves = page.entries.map(parseLeaf);
  const { origin, size } = verified.checkpoint;
  const checkpoint = headNote(verified, parts.keys.log.vkey);
  const reached = reachedHead(verified, checkpoint);
  const ats = leaves.map(({ entry }) => entry?.at ?? 0);
  const lastAt = Math.max(head.lastAt, ...ats);
  const rows = leaves.map((leaf, place) => rowOf(leaf, from + place));
  await storeLog(tx, OWN_LOG, reached, rows, verified.nodes, lastAt);
  let messages = 0;
  let { lastMessageId } = head;
  for (const [place, { entry, post }] of leaves.entries()) {
    const index = from + place;
    if (entry?.type === 'post' && post !== null) {
      lastMessageId = Math.max(lastMessageId, entry.id);
      const content = contents.get(index) ?? null;
      messages += 1;
      if (content === null) lost.add(entry.id);
      const { agent } = post.statement;
      const key =
        agent === null ? null : await readKeyState(tx, OWN_LOG, agent);
      const keySeq = key?.seq ?? null;
      const restored = { entry, index, post, content, keySeq };
      await restorePost(tx, parts, restored, { origin, size, checkpoint });
    } else if (entry !== null && entry.type !== 'unknown') {
      await restoreEntry(tx, index, entry, lost);
    }
  }
  const { frontier } = verified;
  const end = { originId: OWN_LOG, frontier, lastMessageId, lastAt };
  await moveCursor(tx, from, end, reached);
  return messages;
}

async function restoreEntry(
  tx: Tx,
  index: number,
  entry: Entry,
  lost: Set<number>,
): Promise<void> {
  switch (entry.type) {
    case 'board':
      await tx.manager.update(
        LogState,
        { originId: OWN_LOG },
        { identity: entry.embedded },
      );
      break;
    case 'key': {
      const chain = await loadKeyChain(tx, OWN_LOG, entry.agent);
      const stepped = stepKeyChain(chain, entry.embedded);
      if (!stepped.ok || stepped.value.kind === 'repeat') break;
      const step = { index, at: entry.at, step: stepped.value };
      await storeKeySteps(tx, OWN_LOG, [step]);
      break;
    }
    case 'remove':
      await restoreRemoval(tx, index, entry, !lost.has(entry.id));
      lost.delete(entry.id);
      break;
    case 'decision':
      await restoreDecision(tx, index, entry);
      break;
    case 'poll':
      await restorePollEnd(tx, entry);
      break;
    default: // anchors and evidence are about others
  }
}

function rowOf({ leaf, entry, head, post }: ParsedLeaf, index: number) {
  const row = entryRow(index, head?.type ?? 'unknown', leaf);
  if (post !== null) {
    row.agentId = post.statement.agent;
    row.messageHash = messageHash(post.text);
  }
  if (entry?.type === 'key') row.agentId = entry.agent;
  if (entry !== null && 'id' in entry) row.messageId = entry.id;
  if (entry !== null && 'target' in entry) row.messageHash = entry.target;
  return row;
}

const HOUR_MS = 3_600_000;

/** Text null where no mirror kept it. */
type RestoredPost = {
  entry: PostEntry;
  index: number;
  post: EmbeddedPost;
  content: Content | null;
  keySeq: number | null;
};

/** The secret of its votes is new, so guests' votes are lost. */
async function restorePost(
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

/** Body of a restored message until its removal is logged. */
const LOST = 'The text of this message was lost.';

/** An author's equal text has another salt, which the message's hash covers. */
function lostSalt(messageHash: Uint8Array): Buffer {
  const hash = createHash('sha256').update('reserve-board/lost-text/v1\n');
  return hash.update(messageHash).digest().subarray(0, 16);
}

/** Written by a restore that was killed before it logged their removal. */
export async function lostTexts({ manager }: Sql): Promise<number[]> {
  const rows = await manager.find(Message, {
    select: { id: true, salt: true, messageHash: true },
    where: { body: LOST, removedAt: IsNull() },
    order: { id: 'ASC' },
  });
  return rows
    .filter(({ salt, messageHash }) => {
      return salt !== null && equalBytes(salt, lostSalt(messageHash));
    })
    .map(({ id }) => id);
}
