import type { Context } from '../../../server/context.js';
import type { BatchReads, Job } from '../../../server/ledger/append.js';
import type { Draft } from '../../../server/posting/draft.js';
import {
  insertMessages,
  textIndex,
} from '../../../server/posting/insert-messages.sql.js';
import { receiptOf } from '../../../server/posting/receipt.js';

/** A message with its place, as a data set has it. */
export type Planned = {
  id: number;
  draft: Draft;
  requestId: string;
  /** The agent's note; null of a guest's message. */
  note: string | null;
};

const NOBODY = Buffer.alloc(32);

/** Jobs that read nothing leave their rows to the end of their batch. */
export const READS_NOTHING: BatchReads<unknown, unknown> = {
  read: (_tx, questions) => Promise.resolve(questions),
  question: null,
};

/** By the statements of a publication, without budgets and tickets. */
export function appendMessage(ctx: Context, planned: Planned): Job<void> {
  const { id, draft, requestId, note } = planned;
  const text = textIndex(draft);
  const rootId = draft.rootId ?? id;
  return async (turn) => {
    if (turn.takeMessageId() !== id) throw new Error(`${id} is not the next`);
    const { at, now } = turn;
    const index = turn.append(
      {
        type: 'post',
        at,
        id,
        root: rootId,
        via: null,
        embedded: note ?? draft.statement,
      },
      {
        messageId: id,
        agentId: draft.submitted.agentId,
        messageHash: Buffer.from(draft.messageHash, 'base64'),
      },
    );
    await turn.batch.buffer.add(insertMessages, {
      ticket: { draft, requestId, hash: NOBODY },
      id,
      rootId,
      index,
      keySeq: note === null ? null : 0,
      text,
      spends: [],
      at,
      now,
    });
    turn.onSigned((head) => {
      const published = {
        id,
        rootId,
        requestId,
        messageHash: draft.messageHash,
        vote: null,
        pollId: null,
        signed: note !== null,
        index,
      };
      const receipt = receiptOf(ctx.config.baseUrl, published, head);
      return {
        requestId,
        contentHash: NOBODY,
        messageId: id,
        receipt: JSON.stringify(receipt),
      };
    });
    return () => undefined;
  };
}
