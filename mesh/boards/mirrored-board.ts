import { isBoardName } from '../../protocol/board-name.js';
import type { Context } from '../../server/context.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import {
  type Addresses,
  messageUrl,
  moderationUrl,
} from '../../server/http/urls.js';
import { type MirrorSummary, measuredLag } from '../mesh-ports.js';
import { lagMs, statusOf } from '../peers/peer-view.js';
import { type PeerColumns, selectPeers } from '../peers/peers.sql.js';
import { standstillOf } from '../peers/standstill.js';
import type { MirrorStatus } from './answers.js';

/** One generation. */
type MirroredLog = { originId: number; origin: string; size: number };

/** For readers. */
export type MirroredBoard = Omit<MirrorSummary, 'messages'> & {
  originId: number;
  /** The pulled log, then former generations, latest first. */
  logs: readonly MirroredLog[];
  /** The origin's hiding counts here, too. */
  follow: boolean;
};

/** Kept ones, latest first. */
const FORMER = `(SELECT json_agg(json_build_object('originId', f.origin_id,
    'origin', f.origin, 'size', f.size) ORDER BY f.origin_id DESC)
  FROM log_state f WHERE f.board = p.name AND f.origin_id > 0
    AND f.origin_id <> p.origin_id AND f.closed_at IS NULL)`;

/**
 * By name: of confirmed peers, quarantined ones included, once their log has
 * begun; not of blocked ones.
 */
export async function mirroredBoards(
  sql: Sql,
  now: number,
  name?: string,
): Promise<MirroredBoard[]> {
  const query = selectPeers(sql)
    .addSelect(FORMER, 'former')
    .where("p.status NOT IN ('pending', 'blocked')")
    .orderBy('p.name');
  if (name !== undefined) query.andWhere('p.name = :name', { name });
  const { entities, raw } = await query.getRawAndEntities<{
    mirrored_size: number | null;
    former: MirroredLog[] | null;
  }>();
  return entities.map((peer, at) =>
    boardOf(peer, raw[at]?.mirrored_size ?? 0, raw[at]?.former ?? [], now),
  );
}

function boardOf(
  peer: PeerColumns,
  size: number,
  former: readonly MirroredLog[],
  now: number,
): MirroredBoard {
  const { originId, name, origin, baseUrl, trust, logVkey } = peer;
  const facts = { ...peer, mirroredSize: size };
  const status = statusOf(facts, now) as MirrorStatus;
  const standstill = standstillOf(facts, now);
  const lag_ms = lagMs(facts, now);
  return {
    originId,
    logs: [{ originId, origin, size }, ...former],
    name,
    origin,
    baseUrl,
    trust,
    content: peer.content,
    status,
    follow: peer.decisions === 'follow',
    mirroredSize: size,
    logVkey,
    reason: status === 'degraded' ? peer.degradedReason : peer.statusReason,
    remoteSize: Math.max(peer.remoteSize ?? 0, size),
    lagMs: measuredLag({ status, lag_ms, standstill }),
    standstill: standstill?.reason ?? null,
    lastSuccessAt: peer.lastSuccessAt,
    level: peer.level,
  };
}

/** @throws BoardError `unknown_board` */
export async function mirroredBoard(
  { reads, clock, board }: Pick<Context, 'reads' | 'clock' | 'board'>,
  name: unknown,
): Promise<MirroredBoard> {
  if (name === board.name) {
    throw new BoardError(
      'unknown_board',
      `${name} is this board itself and no mirror; read it under /api, without /mesh/boards.`,
    );
  }
  // PostgreSQL refuses NUL, so only board names are looked up.
  const [found] =
    typeof name === 'string' && isBoardName(name)
      ? await mirroredBoards(reads, clock.now(), name)
      : [];
  if (found !== undefined) return found;
  throw new BoardError(
    'unknown_board',
    'This node mirrors no board of that name; /api/mesh/boards lists those it mirrors.',
  );
}

/** What reads of all boards say where there is none. */
export const noneThere = (boards: readonly unknown[]) =>
  boards.length > 0 ? {} : { note: 'This board mirrors no other board.' };

/** On this node. */
export function boardPath(baseUrl: string, name: string): string {
  return `${baseUrl}/api/mesh/boards/${name}`;
}

/** JSON is read here, pages and decisions at the origin (spec/mesh.md §B9). */
export function mirroredAddresses(
  baseUrl: string,
  { name, baseUrl: origin }: MirroredBoard,
): Addresses {
  return {
    read: (id) => `${boardPath(baseUrl, name)}/messages/${id}`,
    page: (rootId, id) => messageUrl(origin, rootId, id),
    moderation: (id) => moderationUrl(origin, id),
  };
}

export function hiddenHere(): BoardError {
  return new BoardError(
    'hidden_by_operator',
    'An operator of this node hid this message; it may still be readable on its own board.',
  );
}
