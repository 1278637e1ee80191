import { fromBase64 } from '../../protocol/bytes.js';
import { readPost } from '../../protocol/entry.js';
import type { Room } from '../../protocol/room.js';
import type { Sql } from '../../server/db/sql.js';
import type {
  ForeignAccepted,
  ForeignFacts,
  ForeignParent,
  ForeignRequest,
  ForeignRouting,
} from '../mesh-ports.js';
import { formerLogs } from '../pull/verify/former-logs.js';
import { findOutboxRow, type OutboxRow } from './outbox-rows.js';
import { foreignRouting } from './outcome-error.js';
import { targetPeer, unreachable } from './relay-peer.js';

/**
 * What a preview for another board has to know (spec/mesh.md §B10): the parent
 * from the mirror, and what this node was told of the request before.
 * @throws BoardError `unknown_board`, `origin_unreachable`.
 */
export async function foreignFacts(
  sql: Sql,
  request: ForeignRequest,
  replyTo: number | null,
): Promise<ForeignFacts> {
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

type ParentRow = {
  root_id: number;
  room: Room;
  message_hash: Buffer;
  removed: boolean;
};

const PARENT = `SELECT m.root_id, m.room, m.message_hash,
    m.status = 'removed' AS removed
  FROM mirror_message m
  WHERE m.origin_id = $1 AND m.id = $2 AND m.status <> 'invalid'`;

/**
 * A message of a mirrored log, or of a former generation of it, that can be
 * named as a parent.
 */
export async function mirrored(
  sql: Sql,
  originId: number,
  id: number,
): Promise<ForeignParent | null> {
  let [row] = await sql.query<ParentRow>(PARENT, [originId, id]);
  if (row === undefined) {
    for (const former of await formerLogs(sql, originId)) {
      [row] = await sql.query<ParentRow>(PARENT, [former, id]);
      if (row !== undefined) break;
    }
  }
  if (row === undefined) return null;
  const { root_id: rootId, room, message_hash: messageHash, removed } = row;
  return { id, rootId, room, messageHash, removed };
}

async function routingOf(
  sql: Sql,
  originId: number,
  { board }: ForeignRequest,
  told: unknown,
): Promise<ForeignRouting | null> {
  const routing = foreignRouting.safeParse(told);
  if (!routing.success) return null;
  const { phrase, reason, target_id: id, parent_hash } = routing.data;
  const hash = fromBase64(parent_hash, 32);
  const target = await mirrored(sql, originId, id);
  // Its room is in no answer: the reply has to wait for the mirror.
  if (target === null || hash === null) throw unreachable(board);
  return { phrase, reason, target: { ...target, messageHash: hash } };
}

async function acceptedOf(
  sql: Sql,
  originId: number,
  row: OutboxRow,
): Promise<ForeignAccepted | null> {
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
  };
  if (row.state === 'pending') {
    const salt = Buffer.from(row.content.salt, 'base64');
    const parent =
      shown.replyTo === null
        ? null
        : await mirrored(sql, originId, shown.replyTo);
    return { ...shown, salt, rootId: parent?.rootId ?? null };
  }
  const { id, root_id: rootId } = row.receipt.message;
  const [kept] = await sql.query<{ salt: Buffer | null }>(
    'SELECT salt FROM mirror_message WHERE origin_id = $1 AND id = $2',
    [originId, id],
  );
  return { ...shown, salt: kept?.salt ?? null, rootId };
}
