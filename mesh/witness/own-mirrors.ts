import { parseLogOrigin } from '../../protocol/board-name.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { NOTE_BYTES } from '../../protocol/limits.js';
import type { Vkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import type { Witnessed } from '../../server/ledger/rollback-checks.js';
import type { Witnesses } from '../../server/ledger/rollback-guard.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { mirrorPrefix } from '../pull/store/mirror-log.js';
import { listedAt } from './ask-peer.js';

const ANSWER_MS = 2000;

type Parts = {
  db: Sql;
  client: PeerClient;
  keys: Pick<BoardKeys, 'log' | 'logVkeyOf'>;
  /** Factor by which a peer may take longer. */
  timeoutFactor?: number;
};
type Asked = Pick<Peer, 'name' | 'baseUrl'>;

/**
 * What the mirrors of our own log show (spec/mesh.md §B4, rollback guard), and
 * of any later generation of it: every active peer is asked at once, at most
 * two seconds long.
 */
export function ownMirrors(parts: Parts): Witnesses {
  const { db, client, keys, timeoutFactor = 1 } = parts;
  const ask = async () => {
    const peers = await db.manager.find(Peer, {
      select: { originId: true, name: true, baseUrl: true },
      where: { status: 'active' },
    });
    const asked = peers.map((peer) => {
      // Its own: Node takes more than ten listeners of one signal for a leak.
      const signal = AbortSignal.timeout(ANSWER_MS * timeoutFactor);
      return Promise.all([
        headAt(client, peer, keys.log.vkey, signal),
        laterAt(client, peer, keys, signal),
      ]);
    });
    const answers = await Promise.all(asked);
    const answered = answers.filter(([own]) => own !== null).length;
    const seen = answers.flatMap(([own, later]) => [...(own ?? []), ...later]);
    return { answered, seen };
  };
  return { ask };
}

/** Null without an answer; a peer that does not mirror us has answered. */
async function headAt(
  client: PeerClient,
  { name, baseUrl }: Asked,
  vkey: Vkey,
  signal: AbortSignal,
): Promise<Witnessed[] | null> {
  const path = `${mirrorPrefix(vkey.name)}/checkpoint`;
  const call = { signal, maxBytes: NOTE_BYTES };
  const answer = await client.get(baseUrl, path, call);
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
 * database is then an old one, also where its own log's mirror looks right.
 */
async function laterAt(
  client: PeerClient,
  peer: Asked,
  { log, logVkeyOf }: Parts['keys'],
  signal: AbortSignal,
): Promise<Witnessed[]> {
  const own = log.vkey.name;
  const board = parseLogOrigin(own)?.name ?? '';
  const listed = await listedAt(client, peer.baseUrl, board, signal);
  if (listed === null || !isLaterLog(listed.origin, own)) return [];
  const vkey = logVkeyOf(listed.origin);
  return (await headAt(client, peer, vkey, signal)) ?? [];
}
