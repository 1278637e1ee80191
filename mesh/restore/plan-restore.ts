import {
  decodeFrontier,
  emptyFrontier,
  type Frontier,
} from '../../protocol/tree.js';
import { LogState } from '../../server/db/entities/log.js';
import { Operator } from '../../server/db/entities/operator.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { parseLeaf } from '../pull/verify/prepare-page.js';
import { lookForMirrors, type SeenMirror } from './find-mirrors.js';
import { contentsOf, nextPage, noMirror } from './next-page.js';
import type { RestoreParts } from './restore-log.js';

export type RestorePlan = Awaited<ReturnType<typeof planRestore>>;

/** Not contained in a log. */
export type Beside = { operators: number; peers: number };

/**
 * Reads and verifies all that a restore would pull; writes nothing.
 * @param sql null where there is no database yet
 * @throws BoardError `origin_unreachable`, also where no mirror continues the
 *   local log
 */
export async function planRestore(
  parts: Pick<RestoreParts, 'client' | 'keys' | 'onProgress'>,
  sql: Sql | null,
  urls: readonly string[],
) {
  const { vkey } = parts.keys.log;
  const { mirrors, silent } = await lookForMirrors(parts.client, vkey, urls);
  if (mirrors.length === 0) throw await noMirror(parts.client, vkey, urls);
  const own = { originId: OWN_LOG, origin: vkey.name };
  const state = await sql?.manager.findOneBy(LogState, own);
  const frontier = state
    ? decodeFrontier(state.size, state.frontier)
    : emptyFrontier();
  const ahead = await readAhead(parts, mirrors, frontier);
  return {
    ...ahead,
    /** Entries to pull. */
    pulled: ahead.size - frontier.size,
    from: mirrors.map(({ source }) => source.baseUrl),
    silent,
  };
}

/** After `begin`, verified; writes nothing. */
export async function readAhead(
  parts: Pick<RestoreParts, 'client' | 'onProgress'>,
  mirrors: readonly SeenMirror[],
  begin: Frontier,
) {
  let frontier = begin;
  const lost = new Map<number, { guest: boolean }>();
  const turns = [...mirrors];
  const size = mirrors[0]?.size ?? 0;
  let messages = 0;
  while (frontier.size < size) {
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
    parts.onProgress(frontier.size, size);
  }
  return {
    size: frontier.size,
    messages,
    /** Messages without a mirrored text, and guests' among them. */
    lost: [...lost.keys()],
    lostGuests: [...lost.values()].filter(({ guest }) => guest).length,
  };
}

export async function besideTheLog(sql: Sql | null): Promise<Beside> {
  if (sql === null) return { operators: 0, peers: 0 };
  return {
    operators: await sql.manager.count(Operator),
    peers: await sql.manager.count(Peer),
  };
}
