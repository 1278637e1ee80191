import { isBoardName } from '../../protocol/board-name.js';
import type { Context } from '../../server/context.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import type { MirrorStatus } from '../../server/http/openapi/mirrored.js';
import type { Addresses } from '../../server/http/urls.js';
import { messageUrl, moderationUrl } from '../../server/http/urls.js';
import type { PeerRow } from '../peers/peer-row.js';
import { lagMs, statusOf } from '../peers/peer-status.js';

type Row = Pick<
  PeerRow,
  | 'origin_id'
  | 'name'
  | 'origin'
  | 'base_url'
  | 'trust'
  | 'status'
  | 'decisions'
  | 'degraded_until'
  | 'last_success_at'
  | 'confirmed_at'
  | 'failures'
  | 'remote_size'
  | 'remote_seen_at'
  | 'log_vkey'
  | 'status_reason'
  | 'degraded_reason'
> & { mirrored_size: number; former: MirroredLog[] | null };

/** One generation of a mirrored board's log. */
export type MirroredLog = { originId: number; origin: string; size: number };

/** A board whose log this node mirrors, as its readers need it. */
export type MirroredBoard = {
  originId: number;
  /** The log that is pulled, then former generations, the latest first. */
  logs: readonly MirroredLog[];
  name: string;
  origin: string;
  baseUrl: string;
  trust: PeerRow['trust'];
  status: MirrorStatus;
  /** Whether what the origin hides is hidden here too. */
  follow: boolean;
  /** The verified size of the mirrored log. */
  size: number;
  logVkey: string;
  reason: string | null;
  remoteSize: number;
  lagMs: number;
  lastSuccessAt: number | null;
};

/**
 * Mirrors that may be read: of confirmed peers, quarantined ones included,
 * once their log has begun to come; those of blocked peers are gone.
 */
const BOARDS = `SELECT p.origin_id, p.name, p.origin, p.base_url, p.trust,
    p.status, p.decisions, p.degraded_until, p.last_success_at,
    p.confirmed_at, p.failures, p.remote_size, p.remote_seen_at, p.log_vkey,
    p.status_reason, p.degraded_reason,
    coalesce(s.size, 0) AS mirrored_size,
    (SELECT json_agg(json_build_object('originId', f.origin_id,
        'origin', f.origin, 'size', f.size) ORDER BY f.origin_id DESC)
      FROM log_state f WHERE f.board = p.name AND f.origin_id > 0
        AND f.origin_id <> p.origin_id AND f.closed_at IS NULL) AS former
  FROM peer p LEFT JOIN log_state s ON s.origin_id = p.origin_id
  WHERE p.status NOT IN ('pending', 'blocked')`;

function boardOf(row: Row, now: number): MirroredBoard {
  const status = statusOf(row, now) as MirrorStatus;
  return {
    originId: row.origin_id,
    logs: [
      {
        originId: row.origin_id,
        origin: row.origin,
        size: row.mirrored_size,
      },
      ...(row.former ?? []),
    ],
    name: row.name,
    origin: row.origin,
    baseUrl: row.base_url,
    trust: row.trust,
    status,
    follow: row.decisions === 'follow',
    size: row.mirrored_size,
    logVkey: row.log_vkey,
    reason: status === 'degraded' ? row.degraded_reason : row.status_reason,
    remoteSize: Math.max(row.remote_size ?? 0, row.mirrored_size),
    lagMs: lagMs(row, now),
    lastSuccessAt: row.last_success_at,
  };
}

/** Every readable mirror by the name of its board. */
export async function mirroredBoards(
  sql: Sql,
  now: number,
): Promise<MirroredBoard[]> {
  const rows = await sql.query<Row>(`${BOARDS} ORDER BY p.name`);
  return rows.map((row) => boardOf(row, now));
}

/** @throws BoardError `unknown_board` for one that is not mirrored here. */
export async function mirroredBoard(
  { reads, clock, board }: Pick<Context, 'reads' | 'clock' | 'board'>,
  name: unknown,
): Promise<MirroredBoard> {
  if (name === board.name) throw ownBoard(board.name);
  // What is no board name is none to PostgreSQL either, which refuses NUL.
  const [row] =
    typeof name === 'string' && isBoardName(name)
      ? await reads.query<Row>(`${BOARDS} AND p.name = $1`, [name])
      : [];
  if (row !== undefined) return boardOf(row, clock.now());
  throw new BoardError(
    'unknown_board',
    'This node mirrors no board of that name; /api/mesh/boards lists those it mirrors.',
  );
}

function ownBoard(name: string): BoardError {
  return new BoardError(
    'unknown_board',
    `${name} is this board itself and no mirror; read it below /api without /mesh/boards.`,
  );
}

/** Where a mirrored board is read on this node. */
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
