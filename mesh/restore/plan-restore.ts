import { decodeFrontier, emptyFrontier } from '../../protocol/tree.js';
import { LogState } from '../../server/db/entities/log.js';
import { Operator } from '../../server/db/entities/operator.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { parseLeaf } from '../pull/verify/prepare-page.js';
import { lookForMirrors } from './find-mirrors.js';
import {
  contentsOf,
  nextPage,
  noMirror,
  type RestoreParts,
} from './restore-log.js';

/** What a restore would do. */
export type RestorePlan = {
  /** Entries that it would pull, and the size of the log afterwards. */
  pulled: number;
  size: number;
  messages: number;
  /** Messages whose text no mirror kept, and those of them by guests. */
  lost: number[];
  lostGuests: number;
  from: string[];
};

/** What only this database has, or nobody: a log contains neither. */
export type Beside = { operators: number; peers: number };

/**
 * Reads all that a restore would pull, verified, and writes nothing.
 *
 * @param sql null where there is no database yet.
 * @throws BoardError `origin_unreachable`, also where no mirror continues what is
 * here.
 */
export async function planRestore(
  parts: Pick<RestoreParts, 'client' | 'keys' | 'onProgress'>,
  sql: Sql | null,
  urls: readonly string[],
): Promise<RestorePlan> {
  const { vkey } = parts.keys.log;
  const mirrors = await lookForMirrors(parts.client, vkey, urls);
  const [best] = mirrors;
  if (best === undefined) throw noMirror(vkey, urls);
  const own = { originId: OWN_LOG, origin: vkey.name };
  const state = await sql?.manager.findOneBy(LogState, own);
  let frontier = state
    ? decodeFrontier(state.size, state.frontier)
    : emptyFrontier();
  const began = frontier.size;
  const lost = new Map<number, { guest: boolean }>();
  const turns = [...mirrors];
  let messages = 0;
  while (frontier.size < best.size) {
    const next = await nextPage(parts, turns, frontier);
    const { page, verified } = next;
    const contents = await contentsOf(parts, next, turns);
    for (const [place, leaf] of page.entries.entries()) {
      const { entry, post } = parseLeaf(leaf);
      if (entry?.type === 'remove') lost.delete(entry.id);
      if (entry?.type !== 'post' || post === null) continue;
      messages += 1;
      if (contents.has(page.from + place)) continue;
      lost.set(entry.id, { guest: post.statement.agent === null });
    }
    frontier = verified.frontier;
    parts.onProgress(frontier.size, best.size);
  }
  return {
    pulled: frontier.size - began,
    size: frontier.size,
    messages,
    lost: [...lost.keys()],
    lostGuests: [...lost.values()].filter(({ guest }) => guest).length,
    from: mirrors.map(({ source }) => source.baseUrl),
  };
}

/** Operators and peers of this database. */
export async function besideTheLog(sql: Sql | null): Promise<Beside> {
  if (sql === null) return { operators: 0, peers: 0 };
  return {
    operators: await sql.manager.count(Operator),
    peers: await sql.manager.count(Peer),
  };
}
