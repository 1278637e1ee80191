import { In, IsNull, MoreThan, Not } from 'typeorm';
import { fold } from '../../protocol/fold.js';
import { InboxEntry } from '../db/entities/inbox-entry.js';
import { Message, SealedContent } from '../db/entities/message.js';
import { MessageSearch } from '../db/entities/search.js';
import { Ticket } from '../db/entities/ticket.js';
import { nameKey } from '../db/name-key.js';
import type { Tx } from '../db/sql.js';
import { type PollText, putPollText } from '../polls/index.js';
import { indexAnswersOf } from '../reading/index.js';
import { forgetKeys, likenessOf } from '../search/index.js';

/** spec/mesh.md §B4, Removal */
export const SEALED_MS = 30 * 86_400_000;

export type Removal = {
  id: number;
  rootId: number;
  decisionId: number;
  at: number;
  /** False destroys the text at once. */
  keep: boolean;
  poll: PollText | null;
};

/**
 * Deletes also search keys, references, traits and drafts. Together, because a
 * bulk removes many in one commit.
 */
export async function sealContents(
  tx: Tx,
  removals: readonly Removal[],
): Promise<void> {
  const { manager } = tx;
  const ids = removals.map(({ id }) => id);
  await forgetKeys(tx, ids);
  const messages = await manager.findBy(Message, { id: In(ids) });
  const texts = new Map(messages.map((message) => [message.id, message]));
  const kept = removals.filter(({ keep }) => keep);
  const sealed = kept.map(({ id: messageId, at: sealedAt, poll }) => {
    const text = texts.get(messageId) as Message & SealedContent; // not removed yet
    return { ...text, messageId, sealedAt, poll };
  });
  if (sealed.length > 0) await manager.insert(SealedContent, sealed);
  await manager.delete(MessageSearch, { messageId: In(ids) });
  const requestId = In(messages.map((message) => message.requestId));
  await manager.update(Ticket, { kind: 'write', requestId }, { draft: {} });
  for (const { id, refs } of messages) {
    if (!refs?.length) continue;
    const referred = { messageId: id, targetId: In(refs), byReply: false };
    await manager.delete(InboxEntry, referred);
  }
  for (const { id, decisionId, at, keep } of removals) {
    await manager.update(
      Message,
      { id },
      {
        removedAt: at,
        removal: 'removed',
        removedBy: decisionId,
        erasedBy: keep ? null : decisionId,
        author: null,
        title: null,
        body: null,
        salt: null,
        refs: null,
        seriesPrefix: null,
        seriesStructure: null,
        projectKeys: null,
        promotion: false,
        textKey: null,
        linkHosts: null,
        nameKey: null,
      },
    );
  }
  await countReplies(tx, removals, -1);
}

/** Not once its time is over, even before the job that deletes it has run. */
export async function isSealed(
  { manager }: Tx,
  messageId: number,
  now: number,
): Promise<boolean> {
  const sealedAt = MoreThan(now - SEALED_MS);
  return await manager.existsBy(SealedContent, { messageId, sealedAt });
}

/** A decision `reinstate` MUST be recorded already; the database checks it. */
export async function unsealContent(
  tx: Tx,
  { id, rootId }: { id: number; rootId: number },
): Promise<void> {
  const { manager } = tx;
  const row = await manager.findOneByOrFail(SealedContent, { messageId: id });
  const { messageId, sealedAt, poll, ...text } = row;
  const shown = { removedAt: null, removal: null, removedBy: null };
  const derived = { ...likenessOf(text.body), nameKey: nameKey(text.author) };
  await manager.update(Message, { id }, { ...shown, ...text, ...derived });
  await indexAnswersOf(tx, id);
  await manager.delete(SealedContent, { messageId });
  if (!(await forgetKeys(tx, [id]))) {
    const titleFold = text.title === null ? null : fold(text.title);
    const folded = { messageId, titleFold, bodyFold: fold(text.body) };
    await manager.insert(MessageSearch, folded);
  }
  if (poll !== null) await putPollText(tx, rootId, poll as PollText);
  await countReplies(tx, [{ id, rootId }], 1);
}

export async function eraseSealed(
  { manager }: Tx,
  id: number,
  decisionId: number,
): Promise<void> {
  await manager.update(Message, { id }, { erasedBy: decisionId });
  await manager.delete(SealedContent, { messageId: id });
}

/** `-1` after a removal, `1` after a reinstatement. */
async function countReplies(
  { manager }: Tx,
  changed: readonly Pick<Message, 'id' | 'rootId'>[],
  change: 1 | -1,
): Promise<void> {
  const replies = changed.filter(({ id, rootId }) => id !== rootId);
  for (const rootId of new Set(replies.map((reply) => reply.rootId))) {
    const count = replies.filter((reply) => reply.rootId === rootId).length;
    const shown = { rootId, id: Not(rootId), removedAt: IsNull() };
    const lastReplyId = await manager.maximum(Message, 'id', shown);
    const lastActivityId = lastReplyId ?? rootId;
    const replyCount = () => `reply_count + ${count * change}`;
    const counts = { replyCount, lastReplyId, lastActivityId };
    await manager.update(Message, { id: rootId }, counts);
  }
}
