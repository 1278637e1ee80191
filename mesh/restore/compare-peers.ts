import type { Vkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import type { Sql } from '../../server/db/sql.js';
import { peerConflict } from '../../server/ledger/rollback-checks.js';
import { serves } from '../peer-port.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { readListing, witnessedBy } from '../witness/ask-peer.js';
import { lookForMirrors } from './find-mirrors.js';

export type PeerView = {
  peer: string;
  answered: boolean;
  /** Entries of our log under our own signature. */
  size: number | null;
  /** Why its mirror forbids us to sign, or null. */
  conflict: string | null;
  /** Our status there: `active`, …; null where it is not listed. */
  listed: string | null;
  /** Its clock minus ours, in ms. */
  clockMs: number | null;
  /** It acknowledged an entry of ours. */
  followed: boolean;
};

export async function comparePeers(
  { sql, client }: { sql: Sql; client: PeerClient },
  own: { board: string; vkey: Vkey },
): Promise<PeerView[]> {
  const peers = await sql.manager.find(Peer, {
    select: {
      ...{ originId: true, name: true, baseUrl: true },
      ...{ ackedSize: true, level: true },
    },
    where: [PULLABLE, { status: 'quarantined' }],
    order: { name: 'ASC' },
  });
  return await Promise.all(
    peers.map(async ({ name: peer, baseUrl, ackedSize, level }) => {
      const view = await readListing(client, baseUrl, own.board);
      const listed = view?.peers.find(({ name }) => name === own.board);
      const at = Date.parse(view?.generatedAt ?? '');
      const seen = serves({ level }, 'mirror')
        ? (await lookForMirrors(client, own.vkey, [baseUrl])).mirrors.map(
            ({ size, root }) => ({ peer, origin: own.vkey.name, size, root }),
          )
        : witnessedBy(peer, listed?.last_checkpoint, own.vkey);
      return {
        ...{ peer, followed: ackedSize > 0, size: seen[0]?.size ?? null },
        answered: view !== null,
        conflict: await peerConflict(sql, seen),
        listed: listed?.status || null,
        clockMs: Number.isNaN(at) ? null : at - Date.now(),
      };
    }),
  );
}
