import { parseLogOrigin } from '../../protocol/board-name.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { NOTE_BYTES } from '../../protocol/limits.js';
import { ED25519, makeVkey, type Vkey } from '../../protocol/vkey.js';
import type { Sql } from '../../server/db/sql.js';
import type { Witnessed } from '../../server/ledger/log-doubts.js';
import type { Witnesses } from '../../server/ledger/rollback-guard.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { mirrorPrefix } from '../pull/store/mirror-sources.js';
import { listedAt } from './listed-log.js';

const ANSWER_MS = 2000;

type Parts = {
  db: Sql;
  client: PeerClient;
  logVkey: Vkey;
  /** Factor by which a peer may take longer. */
  patience?: number;
};
type Peer = { name: string; base_url: string };

/**
 * What the mirrors of our own log show (spec/mesh.md §B4, rollback guard), and
 * of any later generation of it: every active peer is asked at once, at most
 * two seconds long.
 */
export function ownMirrors(parts: Parts): Witnesses {
  return {
    ask: async () => {
      const peers = await parts.db.query<Peer>(
        "SELECT name, base_url FROM peer WHERE status = 'active'",
      );
      const asked = await Promise.all(peers.map((peer) => ask(parts, peer)));
      return {
        answered: asked.filter(({ answered }) => answered).length,
        seen: asked.flatMap(({ seen }) => seen),
      };
    },
  };
}

/** The key that signs another generation, where the settings are the same. */
export function vkeyOfGeneration({ publicKey }: Vkey, origin: string): Vkey {
  return makeVkey(origin, ED25519, publicKey);
}

async function ask(
  { client, logVkey, patience = 1 }: Parts,
  peer: Peer,
): Promise<{ answered: boolean; seen: Witnessed[] }> {
  const signal = AbortSignal.timeout(ANSWER_MS * patience);
  const [own, later] = await Promise.all([
    headAt(client, peer, logVkey, signal),
    laterAt(client, peer, logVkey, signal),
  ]);
  return { answered: own !== null, seen: [...(own ?? []), ...later] };
}

/** Null without an answer; a peer that does not mirror us has answered. */
async function headAt(
  client: PeerClient,
  { name, base_url: baseUrl }: Peer,
  vkey: Vkey,
  signal: AbortSignal,
): Promise<Witnessed[] | null> {
  const path = `${mirrorPrefix(vkey.name)}/checkpoint`;
  const answer = await client.get(baseUrl, path, {
    signal,
    maxWireBytes: NOTE_BYTES,
    maxInflatedBytes: NOTE_BYTES,
  });
  if (!answer.ok) return null;
  const { status, body } = answer.value;
  if (status === 404) return [];
  if (status !== 200) return null;
  const opened = openCheckpoint(body.toString('utf8'), vkey);
  if (!opened.ok) return [];
  const { origin, size, root } = opened.value;
  return size === 0 ? [] : [{ peer: name, origin, size, root }];
}

/**
 * A later generation that the peer lists, under our own signature: this
 * database is then an old one, whatever its own log's mirror shows.
 */
async function laterAt(
  client: PeerClient,
  peer: Peer,
  logVkey: Vkey,
  signal: AbortSignal,
): Promise<Witnessed[]> {
  const board = parseLogOrigin(logVkey.name)?.name ?? '';
  const listed = await listedAt(client, peer.base_url, board, signal);
  if (listed === null || !isLaterLog(listed.origin, logVkey.name)) return [];
  const vkey = vkeyOfGeneration(logVkey, listed.origin);
  return (await headAt(client, peer, vkey, signal)) ?? [];
}
