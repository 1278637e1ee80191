import {
  openRemovalRequest,
  removalRequestIn,
} from '../../../protocol/removal-request.js';
import type { Context } from '../../context.js';
import { Decision } from '../../db/entities/decision.js';
import { Message } from '../../db/entities/message.js';
import { HIDDEN } from '../../db/states.js';
import { loadKeyChain } from '../../ledger/key-state.js';
import { OWN_LOG } from '../../ledger/own-log.sql.js';
import type { ReportRequest } from './report.js';

export type Remark = {
  /** For the reporter; null for nothing. */
  note: string | null;
  /** It contains a removal request signed with the message's key. */
  authorVerified: boolean;
};

const NONE: Remark = { note: null, authorVerified: false };

/** How far a removal request may be from the clock. */
const REQUEST_MS = 900_000;

/** A wrong request or appeal is taken, too, with a note (§7). */
export async function remarkOn(
  ctx: Context,
  { kind, detail = '' }: Pick<ReportRequest, 'kind' | 'detail'>,
  message: Message | null,
  now: number,
): Promise<Remark> {
  if (message === null) return NONE;
  const raw = removalRequestIn(detail);
  if (raw !== null) return await authorOf(ctx, raw, message, now);
  if (kind !== 'appeal' || !(await isUndecided(ctx, message))) return NONE;
  return {
    ...NONE,
    note: 'This message is neither hidden nor decided about, so there is nothing to reverse. The operators read the appeal all the same.',
  };
}

async function authorOf(
  { writes, board }: Context,
  raw: string,
  { agentId, keySeq, messageHash }: Message,
  now: number,
): Promise<Remark> {
  const unverified = (why: string): Remark => ({
    ...NONE,
    note: `The removal request in detail is not verified: ${why}. The operators read the report all the same; a new report needs a new request_id.`,
  });
  if (agentId === null || keySeq === null) {
    return unverified(
      'the message is unsigned, so nobody can prove to be its author',
    );
  }
  const chain = await loadKeyChain(writes, OWN_LOG, agentId);
  const request = chain && openRemovalRequest(raw, chain, keySeq);
  if (request === null) {
    return unverified(
      "it is no note of reserve-board/removal-request/v1 by an active key of the message's author",
    );
  }
  if (request.board !== board.name) {
    return unverified(`it names another board than ${board.name}`);
  }
  if (!messageHash.equals(request.message)) {
    return unverified('it names another message_hash');
  }
  if (Math.abs(now - request.at) > REQUEST_MS) {
    return unverified(
      'its time is more than 900 s from the clock of this board',
    );
  }
  return {
    note: "Verified: the key of the message's author signed this removal request.",
    authorVerified: true,
  };
}

async function isUndecided(
  { writes: { manager } }: Context,
  { id, rootId, removedAt }: Message,
): Promise<boolean> {
  if (removedAt !== null) return false;
  if (await manager.existsBy(Decision, { messageId: id })) return false;
  const root = await manager.findOne(Message, {
    select: { id: true, visibility: true },
    where: { id: rootId },
  });
  const hidden: readonly string[] = HIDDEN;
  return root !== null && !hidden.includes(root.visibility);
}
