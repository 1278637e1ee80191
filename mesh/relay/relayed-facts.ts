import { Any, Not } from 'typeorm';
import { fromBase64 } from '../../protocol/bytes.js';
import { readPost } from '../../protocol/entry.js';
import { MirrorMessage } from '../../server/db/entities/mirror-message.js';
import type { Sql } from '../../server/db/sql.js';
import type {
  RelayedFacts,
  RelayedParent,
  RelayedRequest,
  RelayedRouting,
} from '../mesh-ports.js';
import { logsOfBoard } from '../pull/store/mirror-log.js';
import { findOutboxRow, type OutboxRow } from './outbox-rows.sql.js';
import { routingInError } from './relay-errors.js';
import { targetPeer, unreachable } from './relay-peer.js';

/**
 * The mirrored parent, and the known request (spec/mesh.md §B10).
 * @throws BoardError `unknown_board`, `origin_unreachable`
 */
export async function relayedFacts(
  sql: Sql,
  request: RelayedRequest,
  replyTo: number | null,
): Promise<RelayedFacts> {
  const { originId } = await targetPeer(sql, request.board);
  const known = await findOutboxRow(sql, request.requestId);
  return {
    accepted: known === null ? null : await acceptedOf(sql, originId, known),
    parent: replyTo === null ? null : await mirrored(sql, originId, replyTo),
    routing:
      replyTo !== null || known?.state !== 'failed'
        ? null
        : await routingOf(sql, originId, request, known.error.routing),
  };
}

const PARENT = {
  originId: true,
  id: true,
  rootId: true,
  room: true,
  messageHash: true,
  status: true,
} as const;

/** Of this log or a former generation. */
export async function mirrored(
  sql: Sql,
  originId: number,
  id: number,
): Promise<RelayedParent | null> {
  const logs = await logsOfBoard(sql, originId);
  const row = await sql.manager.findOne(MirrorMessage, {
    select: PARENT,
    where: { originId: Any(logs), id, status: Not('invalid') },
    order: { originId: 'DESC' }, // of an ID given twice the later
  });
  if (row === null) return null;
  const { rootId, room, messageHash, status } = row;
  return { id, rootId, room, messageHash, removed: status === 'removed' };
}

async function routingOf(
  sql: Sql,
  originId: number,
  { board }: RelayedRequest,
  shown: unknown,
): Promise<RelayedRouting | null> {
  const routing = routingInError.safeParse(shown);
  if (!routing.success) return null;
  const { phrase, reason, target_id: id, parent_hash } = routing.data;
  const hash = fromBase64(parent_hash, 32);
  const target = await mirrored(sql, originId, id);
  // The origin's answer has no room: wait for the mirror.
  if (target === null || hash === null) throw unreachable(board);
  return { phrase, reason, target: { ...target, messageHash: hash } };
}

async function acceptedOf(sql: Sql, originId: number, row: OutboxRow) {
  if (row.state === 'failed') return null;
  const post = readPost(row.note);
  if (!post.ok) throw new Error('a stored note is none');
  const { statement, text } = post.value;
  const shown = {
    contentHash: row.contentHash,
    replyTo: statement.parent?.id ?? null,
    room: statement.room,
    messageHash: row.messageHash,
    statement: text,
    receipt: row.state === 'pending' ? null : row.receipt,
  };
  if (row.state === 'pending') {
    const salt = Buffer.from(row.content.salt, 'base64');
    const { replyTo: id } = shown;
    const parent = id === null ? null : await mirrored(sql, originId, id);
    return { ...shown, salt, rootId: parent?.rootId ?? null };
  }
  const { id, root_id: rootId } = row.receipt.message;
  const kept = await sql.manager.findOne(MirrorMessage, {
    select: { originId: true, id: true, salt: true },
    where: { originId, id },
  });
  return { ...shown, salt: kept?.salt ?? null, rootId };
}
