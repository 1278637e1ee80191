import { parseLogOrigin } from '../../protocol/board-name.js';
import type { Vkey } from '../../protocol/vkey.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { listedAt } from '../witness/listed-log.js';
import { lookForMirrors } from './find-mirrors.js';

type Parts = { client: PeerClient; signal: AbortSignal };

/**
 * The origin of the latest generation of the board's log that these boards
 * mirror under our own signature; null where they mirror none. What they list
 * is only a hint of where to look: a generation counts by a head that our key
 * signed (spec/mesh.md §B1, §B4).
 */
export async function newestLog(
  parts: Parts,
  board: string,
  urls: readonly string[],
  vkeyOf: (origin: string) => Vkey,
): Promise<string | null> {
  const { client, signal } = parts;
  const listed = await Promise.all(
    urls.map((url) => listedAt(client, url, board, signal)),
  );
  const generations = new Map<number, string>();
  for (const log of listed) {
    const parsed = parseLogOrigin(log?.origin ?? '');
    if (log === null || parsed?.name !== board) continue;
    generations.set(parsed.generation, log.origin);
  }
  const latestFirst = [...generations].sort(([a], [b]) => b - a);
  for (const [, origin] of latestFirst) {
    const mirrors = await lookForMirrors(parts, vkeyOf(origin), urls);
    if (mirrors.length > 0) return origin;
  }
  return null;
}
