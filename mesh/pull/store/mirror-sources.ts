import { createHash } from 'node:crypto';
import { readList, readObject, readString } from '../../../protocol/json.js';
import type { Sql } from '../../../server/db/sql.js';
import type { PullSource } from '../hooks.js';

const MOST_PEERS = 1000;

/** Where a mirror of an origin stands: `/mirror/<hex sha256(origin)>`. */
export function mirrorPrefix(origin: string): string {
  return `/mirror/${createHash('sha256').update(origin).digest('hex')}`;
}

/** Whether a peer's mesh document lists the origin among its own peers. */
function lists(document: string, origin: string): boolean {
  try {
    const peers = readList(
      readObject(JSON.parse(document))?.peers,
      MOST_PEERS,
      (peer) => readString(readObject(peer)?.origin),
    );
    return peers?.includes(origin) === true;
  } catch {
    return false;
  }
}

/** The active peers that say they mirror an origin (spec/mesh.md §B13). */
export async function mirrorsOf(
  sql: Sql,
  originId: number,
  origin: string,
): Promise<PullSource[]> {
  const rows = await sql.query<{ base_url: string; document: string }>(
    `SELECT base_url, document FROM peer
     WHERE status = 'active' AND origin_id <> $1 AND document IS NOT NULL
     ORDER BY last_success_at DESC NULLS LAST`,
    [originId],
  );
  return rows
    .filter(({ document }) => lists(document, origin))
    .map(({ base_url: baseUrl }) => ({
      baseUrl,
      prefix: mirrorPrefix(origin),
    }));
}
