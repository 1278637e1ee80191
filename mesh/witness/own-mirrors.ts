import { parseLogOrigin } from '../../protocol/board-name.js';
import { NOTE_BYTES } from '../../protocol/limits.js';
import type { Vkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import type { Sql } from '../../server/db/sql.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import type { Witnessed } from '../../server/ledger/rollback-checks.js';
import type { Witnesses } from '../../server/ledger/rollback-guard.js';
import { serves } from '../peer-port.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { mirrorPrefix } from '../pull/store/mirror-log.js';
import { readListing, witnessedBy } from './ask-peer.js';

const ANSWER_MS = 2000;

type Parts = {
  db: Sql;
  client: PeerClient;
  keys: Pick<BoardKeys, 'log' | 'logVkeyOf'>;
  /** Multiplies a peer's time. */
  timeoutFactor?: number;
};
type Asked = Pick<Peer, 'name' | 'baseUrl' | 'level'>;

/** All active peers at once, for at most two seconds (spec/mesh.md §B4). */
export function ownMirrors(parts: Parts): Witnesses {
  const { db, timeoutFactor = 1 } = parts;
  const ask = async () => {
    const peers = await db.manager.find(Peer, {
      select: { originId: true, name: true, baseUrl: true, level: true },
      where: PULLABLE,
    });
    const asked = peers.map((peer) =>
      // One signal each: Node warns of a leak from eleven listeners.
      askPeer(parts, peer, AbortSignal.timeout(ANSWER_MS * timeoutFactor)),
    );
    const answers = await Promise.all(asked);
    const answered = answers.filter(([own]) => own !== null).length;
    const seen = answers.flatMap(([own, later]) => [...(own ?? []), ...later]);
    return { answered, seen };
  };
  return { ask };
}

/**
 * What a peer shows of our log, null without an answer; and a later generation
 * that it lists, under our own signature: this database is then an old one,
 * also where its own log's mirror looks right. A witness without mirrors shows
 * the head that it lists.
 */
async function askPeer(
  { client, keys: { log, logVkeyOf } }: Parts,
  peer: Asked,
  signal: AbortSignal,
): Promise<[Witnessed[] | null, Witnessed[]]> {
  const own = log.vkey.name;
  const board = parseLogOrigin(own)?.name ?? '';
  const isMirror = serves(peer, 'mirror');
  const [head, view] = await Promise.all([
    isMirror ? headAt(client, peer, log.vkey, signal) : null,
    readListing(client, peer.baseUrl, board, signal),
  ]);
  const listed = view?.peers.find(({ name }) => name === board);
  const checkpoint = listed?.last_checkpoint;
  const shown = (vkey: Vkey) => witnessedBy(peer.name, checkpoint, vkey);
  const seen = isMirror ? head : view && shown(log.vkey);
  if (!listed || !isLaterLog(listed.origin, own)) return [seen, []];
  const vkey = logVkeyOf(listed.origin);
  if (!isMirror) return [seen, shown(vkey)];
  return [seen, (await headAt(client, peer, vkey, signal)) ?? []];
}

/** Null without an answer. */
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
  return witnessedBy(name, body.toString('utf8'), vkey);
}
