import { rootPlan } from '../../protocol/plan.js';
import { foldRoots } from '../../protocol/tree.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import { LogCheckpoint, LogState } from '../../server/db/entities/log.js';
import { pullableSql } from '../../server/db/pullable.js';
import type { Sql } from '../../server/db/sql.js';
import { lookupIn, readTree } from '../../server/ledger/own-log.sql.js';
import { selectPeers } from '../peers/peers.sql.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import type { PullSource } from '../pull/hooks.js';

export type WitnessParts = Pick<
  Context,
  | 'reads'
  | 'writes'
  | 'clock'
  | 'log'
  | 'keys'
  | 'board'
  | 'ledger'
  | 'guard'
  | 'stopping'
> & { client: PeerClient };

export type KnownLog = PullSource & {
  originId: number;
  origin: string;
  vkey: Vkey;
  logVkey: string;
};

export async function activeLogs(sql: Sql): Promise<Map<string, KnownLog>> {
  const peers = await selectPeers(sql)
    .where(pullableSql('p'))
    .orderBy('p.originId')
    .getMany();
  const logs = peers.flatMap((peer): [string, KnownLog][] => {
    const { originId, name, origin, logVkey, baseUrl, level } = peer;
    const vkey = parseVkey(logVkey);
    if (!vkey.ok) return [];
    const prefix = origin.slice(name.length);
    const known = { originId, origin, logVkey, baseUrl, prefix, level };
    return [[origin, { ...known, vkey: vkey.value }]];
  });
  return new Map(logs);
}

/** Verified; 0 for an unknown log. */
export async function logSize(
  { manager }: Sql,
  originId: number,
): Promise<number> {
  const state = await manager.findOne(LogState, {
    select: { originId: true, size: true },
    where: { originId },
  });
  return state?.size ?? 0;
}

/** From the log's own nodes; null beyond its size. */
export async function rootAt(
  sql: Sql,
  originId: number,
  size: number,
): Promise<Uint8Array | null> {
  const plan = rootPlan(size);
  const tree = await readTree(sql, originId, plan);
  if (tree.size < size) return null;
  return foldRoots(plan.map(lookupIn(tree.hashes)));
}

const HEADS = {
  at: ['k.size = :size', 'ASC'],
  above: ['k.size > :size', 'ASC'],
  upTo: ['k.size <= :size AND k.size > 0', 'DESC'],
} as const;

export async function signedHead(
  { manager }: Sql,
  originId: number,
  place: keyof typeof HEADS,
  size: number,
): Promise<Pick<LogCheckpoint, 'size' | 'note'> | null> {
  const [where, order] = HEADS[place];
  return await manager
    .createQueryBuilder(LogCheckpoint, 'k')
    .select(['k.originId', 'k.size', 'k.note'])
    .innerJoin(LogState, 's', 's.originId = k.originId AND k.size <= s.size')
    .where('k.originId = :originId', { originId })
    .andWhere(where, { size })
    .orderBy('k.size', order)
    .limit(1)
    .getOne();
}
