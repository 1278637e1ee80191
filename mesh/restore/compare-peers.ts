import { boardAddress } from '../../protocol/address.js';
import {
  parseJson,
  readList,
  readObject,
  readString,
} from '../../protocol/json.js';
import type { Vkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import {
  peerConflict,
  type Witnessed,
} from '../../server/ledger/rollback-checks.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { lookForMirrors } from './find-mirrors.js';

const MOST_PEERS = 1000;

/** What one peer says of our log and of us; null for what it does not say. */
export type PeerView = {
  peer: string;
  answered: boolean;
  /** Entries of our log that it shows under our own signature. */
  size: number | null;
  /** Why its mirror forbids to sign, as the guard says it. */
  conflict: string | null;
  /** How it lists us: `active`, `quarantined`, …; null where it does not. */
  listed: string | null;
  /** Its clock less ours, in ms. */
  clockMs: number | null;
  /** Whether it ever acknowledged an entry of ours. */
  followed: boolean;
};

/** Compares our log with the mirror of every confirmed peer. */
export async function comparePeers(
  { sql, client }: { sql: Sql; client: PeerClient },
  own: { board: string; vkey: Vkey },
): Promise<PeerView[]> {
  const peers = await sql.manager.find(Peer, {
    select: { originId: true, name: true, baseUrl: true, ackedSize: true },
    where: [{ status: 'active' }, { status: 'quarantined' }],
    order: { name: 'ASC' },
  });
  return await Promise.all(
    peers.map(async ({ name: peer, baseUrl, ackedSize }) => {
      const shown = await documentOf(client, baseUrl, own.board);
      const found = await lookForMirrors(client, own.vkey, [baseUrl]);
      const [mirror] = found.mirrors;
      const origin = own.vkey.name;
      const seen: Witnessed[] =
        mirror === undefined
          ? []
          : [{ peer, origin, size: mirror.size, root: mirror.root }];
      return {
        ...{ peer, followed: ackedSize > 0, size: mirror?.size ?? null },
        answered: shown !== null,
        conflict: await peerConflict(sql, seen),
        listed: shown?.listed ?? null,
        clockMs: shown?.clockMs ?? null,
      };
    }),
  );
}

async function documentOf(client: PeerClient, url: string, board: string) {
  const base = boardAddress(url);
  if (base === null) return null;
  const answer = await client.get(base, '/api/mesh');
  if (!answer.ok || answer.value.status !== 200) return null;
  const json = readObject(parseJson(answer.value.body.toString('utf8')));
  const peers = readList(json?.peers, MOST_PEERS, (value) => {
    const peer = readObject(value);
    const name = readString(peer?.name);
    return name === null ? null : { name, status: readString(peer?.status) };
  });
  const at = Date.parse(readString(json?.generated_at) ?? '');
  const listed = peers?.find(({ name }) => name === board)?.status ?? null;
  return { listed, clockMs: Number.isNaN(at) ? null : at - Date.now() };
}
