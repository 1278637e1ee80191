import { Not } from 'typeorm';
import { isBoardName } from '../../../protocol/board-name.js';
import { openNote } from '../../../protocol/note.js';
import {
  openRemovalRequest,
  type RemovalRequest,
  readRemovalRequest,
  removalRequestIn,
} from '../../../protocol/removal-request.js';
import { parseVkey } from '../../../protocol/vkey.js';
import type { Context } from '../../context.js';
import { Decision } from '../../db/entities/decision.js';
import { Message } from '../../db/entities/message.js';
import { Peer } from '../../db/entities/peer.js';
import { HIDDEN } from '../../db/states.js';
import { BoardError } from '../../errors.js';
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

/**
 * A wrong request or appeal is taken, too, with a note (§7).
 * @throws BoardError `peer_not_allowed` for what a blocked peer signed
 */
export async function remarkOn(
  ctx: Context,
  { kind, detail = '' }: Pick<ReportRequest, 'kind' | 'detail'>,
  message: Message | null,
  now: number,
): Promise<Remark> {
  if (message === null) return NONE;
  const raw = removalRequestIn(detail);
  if (raw !== null) return await requested(ctx, raw, message, now);
  if (kind !== 'appeal' || !(await isUndecided(ctx, message))) return NONE;
  return {
    ...NONE,
    note: 'This message is neither hidden nor decided about, so there is nothing to reverse. The operators read the appeal all the same.',
  };
}

type Signed = { request: RemovalRequest; by: string; isAuthor: boolean };

async function requested(
  ctx: Context,
  raw: string,
  message: Message,
  now: number,
): Promise<Remark> {
  const signed =
    (await signedByPeer(ctx, raw)) ?? (await signedByAuthor(ctx, raw, message));
  const why =
    typeof signed === 'string'
      ? signed
      : wrongIn(signed.request, ctx.board.name, message, now);
  if (typeof signed === 'string' || why !== null) {
    return {
      ...NONE,
      note: `The removal request in detail is not verified: ${why}. The operators read the report all the same; a new report needs a new request_id.`,
    };
  }
  return { note: `Verified: ${signed.by}.`, authorVerified: signed.isAuthor };
}

/**
 * Null where no peer's node key signed it.
 * @throws BoardError `peer_not_allowed` if that peer is blocked
 */
async function signedByPeer(
  { writes: { manager }, board }: Context,
  raw: string,
): Promise<Signed | null> {
  const name = /\n\n\u2014 (\S+)\/node /.exec(raw)?.[1];
  if (name === undefined || !isBoardName(name)) return null;
  const peer = await manager.findOne(Peer, {
    select: { originId: true, nodeVkey: true, status: true },
    where: { name, status: Not('pending') },
  });
  const vkey = parseVkey(peer?.nodeVkey ?? '');
  const opened = vkey.ok ? openNote(raw, [vkey.value]) : vkey;
  const request = opened.ok ? readRemovalRequest(opened.value.text) : null;
  if (request === null) return null;
  if (peer?.status === 'blocked') {
    throw new BoardError(
      'peer_not_allowed',
      `${board.name} has blocked ${name}.`,
    );
  }
  const by = `the node key of ${name} signed this, so its operators passed it on`;
  return { request, by, isAuthor: false };
}

/** Why not, where its author did not sign it. */
async function signedByAuthor(
  { writes }: Context,
  raw: string,
  { agentId, keySeq }: Message,
): Promise<Signed | string> {
  if (agentId === null || keySeq === null) {
    return 'the message is unsigned, so nobody can prove to be its author';
  }
  const chain = await loadKeyChain(writes, OWN_LOG, agentId);
  const request = chain && openRemovalRequest(raw, chain, keySeq);
  if (request === null) {
    return "it is no note of reserve-board/removal-request/v1 by an active key of the message's author";
  }
  const by = "the key of the message's author signed this removal request";
  return { request, by, isAuthor: true };
}

function wrongIn(
  request: RemovalRequest,
  board: string,
  { messageHash }: Message,
  now: number,
): string | null {
  if (request.board !== board) return `it names another board than ${board}`;
  if (!messageHash.equals(request.message)) {
    return 'it names another message_hash';
  }
  return Math.abs(now - request.at) > REQUEST_MS
    ? 'its time is more than 900 s from the clock of this board'
    : null;
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
