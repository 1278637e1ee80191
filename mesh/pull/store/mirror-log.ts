import { createHash } from 'node:crypto';
import { parseLogOrigin } from '../../../protocol/board-name.js';
import { decodeFrontier, type Frontier } from '../../../protocol/tree.js';
import { parseVkey, type Vkey } from '../../../protocol/vkey.js';
import { LogState } from '../../../server/db/entities/log.js';
import { MirrorMessage } from '../../../server/db/entities/mirror-message.js';
import { Peer } from '../../../server/db/entities/peer.js';
import type { Sql } from '../../../server/db/sql.js';
import { mirrorsBut } from '../../peers/levels.js';
import { peersIn } from '../../peers/listed-peers.js';
import type { PullSource } from '../hooks.js';

/** `lastMessageId` is 0 before the first post; `lastAt` in ms. */
export type MirrorLog = Pick<
  LogState,
  'originId' | 'board' | 'origin' | 'lastMessageId' | 'lastAt'
> & {
  logVkey: Vkey;
  frontier: Frontier;
  /** 0 or absent before the first post. */
  firstMessageId?: number;
};

/** Null: not opened, or its pinned key cannot be read. */
export async function readMirrorLog(
  { manager }: Sql,
  originId: number,
): Promise<MirrorLog | null> {
  const row = await manager.findOneBy(LogState, { originId });
  const vkey = row === null ? null : parseVkey(row.logVkey);
  if (row === null || vkey === null || !vkey.ok) return null;
  const { board, origin, size, frontier, lastMessageId, lastAt } = row;
  // In the first generation all IDs are its own.
  const isFirst = parseLogOrigin(origin)?.generation === 1;
  return {
    originId,
    board,
    origin,
    logVkey: vkey.value,
    frontier: decodeFrontier(size, frontier),
    lastMessageId,
    firstMessageId: isFirst
      ? 0
      : ((await manager.minimum(MirrorMessage, 'id', { originId })) ?? 0),
    lastAt,
  };
}

/** Latest first. */
export async function formerLogs(
  { manager }: Sql,
  originId: number,
): Promise<number[]> {
  const rows = await manager
    .createQueryBuilder(LogState, 'former')
    .select('former.originId', 'id')
    .innerJoin(LogState, 'log', 'log.board = former.board')
    .where('log.originId = :originId', { originId })
    .andWhere('former.originId <> log.originId AND former.originId > 0')
    .andWhere('former.closedAt IS NULL')
    .orderBy('former.originId', 'DESC')
    .getRawMany<{ id: number }>();
  return rows.map(({ id }) => id);
}

export async function logsOfBoard(
  sql: Sql,
  originId: number,
): Promise<number[]> {
  return [originId, ...(await formerLogs(sql, originId))];
}

/** `/mirror/<sha256(origin)>` */
export function mirrorPrefix(origin: string): string {
  return `/mirror/${createHash('sha256').update(origin).digest('hex')}`;
}

/** By their own word (spec/mesh.md §B7.5). */
export async function mirrorsOf(
  { manager }: Sql,
  originId: number,
  origin: string,
): Promise<PullSource[]> {
  const peers = await manager.find(Peer, {
    select: { originId: true, baseUrl: true, document: true },
    where: mirrorsBut(originId),
    order: { lastSuccessAt: { direction: 'DESC', nulls: 'LAST' } },
  });
  const prefix = mirrorPrefix(origin);
  return peers
    .filter(({ document }) =>
      peersIn(document).some((listed) => listed.origin === origin),
    )
    .map(({ baseUrl }) => ({ baseUrl, prefix }));
}
