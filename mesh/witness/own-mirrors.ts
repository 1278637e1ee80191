import { createHash } from 'node:crypto';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { NOTE_BYTES } from '../../protocol/limits.js';
import type { Vkey } from '../../protocol/vkey.js';
import type { Sql } from '../../server/db/sql.js';
import type { Witnessed, Witnesses } from '../../server/log-guard.js';
import type { PeerClient } from '../pull/peer-client.js';

const ANSWER_MS = 2000;

type Parts = { db: Sql; client: PeerClient; logVkey: Vkey };
type Peer = { name: string; base_url: string };

/** `/mirror/<hex sha256(origin)>`: where others keep a log. */
export function mirrorPath(origin: string): string {
  return `/mirror/${createHash('sha256').update(origin).digest('hex')}`;
}

/**
 * What the mirrors of our own log show (mesh.md B4, rollback guard): every
 * active peer is asked at once, at most two seconds long.
 */
export function ownMirrors(parts: Parts): Witnesses {
  return {
    ask: async () => {
      const peers = await parts.db.query<Peer>(
        "SELECT name, base_url FROM peer WHERE status = 'active'",
      );
      const asked = await Promise.all(peers.map((peer) => ask(parts, peer)));
      return {
        answered: asked.filter((answer) => answer !== null).length,
        seen: asked.flatMap((answer) => answer ?? []),
      };
    },
  };
}

/** Null without an answer; a peer that does not mirror us has answered. */
async function ask(
  { client, logVkey }: Parts,
  { name, base_url: baseUrl }: Peer,
): Promise<Witnessed[] | null> {
  const path = `${mirrorPath(logVkey.name)}/checkpoint`;
  const answer = await client.get(baseUrl, path, {
    signal: AbortSignal.timeout(ANSWER_MS),
    maxWireBytes: NOTE_BYTES,
    maxInflatedBytes: NOTE_BYTES,
  });
  if (!answer.ok) return null;
  const { status, body } = answer.value;
  if (status === 404) return [];
  if (status !== 200) return null;
  const opened = openCheckpoint(body.toString('utf8'), logVkey);
  if (!opened.ok) return [];
  const { size, root } = opened.value;
  return size === 0 ? [] : [{ peer: name, size, root }];
}
