// By hand: functions for partitions, and an INSERT … SELECT.

import { type FindOptionsWhere, In, type SelectQueryBuilder } from 'typeorm';
import { boardAddress } from '../../protocol/address.js';
import { emptyFrontier, encodeFrontier } from '../../protocol/tree.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Clock } from '../../server/clock.js';
import { MeshInboxEntry } from '../../server/db/entities/inbox-entry.js';
import { LogState } from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Database, Sql, Tx } from '../../server/db/sql.js';
import { OPEN_REPORTS } from '../../server/db/states.js';
import { BoardError } from '../../server/errors.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import type { Limits } from '../../server/limits.js';
import { changeReports } from '../../server/moderation/index.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { logsOfBoard } from '../pull/store/mirror-log.js';

/** Of a node or the command line. */
export type PeerAdminParts = {
  db: Database;
  clock: Clock;
  limits: Limits;
  keys: Pick<BoardKeys, 'mirror' | 'log' | 'node'>;
  board: { name: string; origin: string };
  client: PeerClient;
};

/** Without large texts. */
export type PeerColumns = Omit<Peer, 'document' | 'remoteCheckpoint'>;
const LARGE: ReadonlySet<string> = new Set(['document', 'remoteCheckpoint']);

function columnsOf({ manager }: Sql): string[] {
  return manager.dataSource
    .getMetadata(Peer)
    .columns.map(({ propertyName }) => propertyName)
    .filter((name) => !LARGE.has(name))
    .map((name) => `p.${name}`);
}

/** `mirrored_size` is null before opening. */
export function selectPeers(sql: Sql): SelectQueryBuilder<Peer> {
  return sql.manager
    .createQueryBuilder(Peer, 'p')
    .select(columnsOf(sql))
    .leftJoin(LogState, 's', 's.originId = p.originId')
    .addSelect('s.size', 'mirrored_size');
}

export async function lockPeer(
  tx: Tx,
  where: FindOptionsWhere<Peer> | FindOptionsWhere<Peer>[],
): Promise<PeerColumns | null> {
  return await tx.manager
    .createQueryBuilder(Peer, 'p')
    .select(columnsOf(tx))
    .where(where)
    .setLock('for_no_key_update')
    .getOne();
}

/** With its log here; times in ms. */
export type PeerRow = PeerColumns & {
  /** Null before it is opened. */
  mirroredSize: number | null;
  lastCheckpoint: string | null;
  /** Evidence hashes, hex. */
  evidence: string[];
};

/** Signed by our mirror key; else the newest verified. */
const CHECKPOINT = `coalesce(
    (SELECT k.note || c.line FROM log_cosignature c
       JOIN log_checkpoint k ON k.origin_id = c.origin_id AND k.size = c.size
     WHERE c.origin_id = p.origin_id AND c.vkey = :mirrorVkey
     ORDER BY c.size DESC LIMIT 1),
    CASE WHEN s.size > 0 THEN s.checkpoint END)`;

/** One fork proves as much as a thousand. */
const EVIDENCE = `ARRAY(SELECT encode(e.sha256, 'hex') FROM evidence e
    WHERE e.origin = p.origin ORDER BY e.at LIMIT 32)`;

type OwnKeys = PeerAdminParts['keys'];

/** When signed here, or the time of its last entry. */
const CHECKPOINT_AT = `coalesce(
    (SELECT c.at FROM log_cosignature c
     WHERE c.origin_id = p.origin_id AND c.vkey = :mirrorVkey
     ORDER BY c.size DESC LIMIT 1),
    CASE WHEN s.size > 0 THEN least(s.last_at, p.remote_seen_at) END, 0)`;

/** By name, with heads that our mirror key signed. */
export function readPeers(sql: Sql, keys: OwnKeys): Promise<PeerRow[]> {
  return select(sql, keys, 'true', {});
}

/** By newest head. */
export type PeerPlace = { at: number; originId: number };
export type PlacedPeer = PeerRow & { place: PeerPlace };

/** Newest heads first. */
export async function readNewestPeers(
  sql: Sql,
  keys: OwnKeys,
  before: PeerPlace | null,
  limit: number,
): Promise<PlacedPeer[]> {
  const shown = "p.status <> 'blocked'";
  const where =
    before === null
      ? shown
      : `${shown} AND (${CHECKPOINT_AT}, p.originId) < (:at, :originId)`;
  return await select(sql, keys, where, { ...before }, limit);
}

async function select(
  sql: Sql,
  keys: OwnKeys,
  where: string,
  values: Record<string, unknown>,
  newest?: number,
): Promise<PlacedPeer[]> {
  const mirrorVkey = formatVkey(keys.mirror.vkey);
  const wanted = selectPeers(sql)
    .addSelect(CHECKPOINT, 'last_checkpoint')
    .addSelect(EVIDENCE, 'evidence')
    .where(where, { ...values, mirrorVkey });
  if (newest === undefined) wanted.orderBy('p.name').addOrderBy('p.originId');
  else {
    wanted.addSelect(CHECKPOINT_AT, 'checkpoint_at');
    wanted.orderBy('checkpoint_at', 'DESC').addOrderBy('p.originId', 'DESC');
    wanted.limit(newest);
  }
  const { entities, raw } = await wanted.getRawAndEntities<{
    mirrored_size: number | null;
    last_checkpoint: string | null;
    checkpoint_at?: number;
    evidence: string[];
  }>();
  return entities.map((peer, at) => ({
    ...peer,
    mirroredSize: raw[at]?.mirrored_size ?? null,
    lastCheckpoint: raw[at]?.last_checkpoint ?? null,
    evidence: raw[at]?.evidence ?? [],
    place: { at: raw[at]?.checkpoint_at ?? 0, originId: peer.originId },
  }));
}

const PRINTABLE = /^[!-~]{1,300}$/;

/**
 * By name or address.
 * @throws BoardError `unknown_board`
 */
export async function requirePeer(
  { db, keys }: Pick<PeerAdminParts, 'db' | 'keys'>,
  board: string,
): Promise<PeerRow> {
  const [row] = PRINTABLE.test(board)
    ? await select(
        db,
        keys,
        'p.name = :board OR p.baseUrl = :url OR p.origin = :board',
        { board, url: boardAddress(board) },
      )
    : [];
  if (row !== undefined) return row;
  throw new BoardError(
    'unknown_board',
    `No peer has the name or URL ${JSON.stringify(board.slice(0, 120))}; "peer list" shows them.`,
  );
}

export async function openPartitions(tx: Tx, originId: number): Promise<void> {
  await tx.query('SELECT mirror_open($1)', [originId]);
}

/** Empty; an existing mirror stays. */
export async function openMirror(tx: Tx, originId: number): Promise<void> {
  await openPartitions(tx, originId);
  await tx.query(
    `INSERT INTO log_state (origin_id, board, origin, log_vkey, identity, size,
       frontier, last_message_id, last_at, checkpoint)
     SELECT origin_id, name, origin, log_vkey, identity, 0, $2, 0, 0, ''
     FROM peer WHERE origin_id = $1
     ON CONFLICT (origin_id) DO NOTHING`,
    [originId, Buffer.from(encodeFrontier(emptyFrontier()))],
  );
}

/**
 * Open reports about what it had are resolved. Locks tables: lock the peer's
 * row first, as pages do.
 */
export async function dropMirrors(
  tx: Tx,
  peer: Pick<Peer, 'originId' | 'name'>,
  statusAt: number,
): Promise<void> {
  for (const originId of await logsOfBoard(tx, peer.originId)) {
    await tx.query('SELECT mirror_drop($1)', [originId]);
    await tx.manager.delete(MeshInboxEntry, { originId });
  }
  const open = { board: peer.name, status: In([...OPEN_REPORTS]) };
  await changeReports(tx, open, { status: 'resolved', statusAt });
}

/** In the peer's present state. */
export function conflict(detail: string): BoardError {
  return new BoardError('decision_conflict', detail);
}
