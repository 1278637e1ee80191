import type { Vkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import type { Sql } from '../../server/db/sql.js';
import { peerConflict } from '../../server/ledger/rollback-checks.js';
import { serves } from '../peer-port.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { readListing, witnessedBy } from '../witness/ask-peer.js';
import { lookForMirrors } from './find-mirrors.js';

export type PeerView = Awaited<ReturnType<typeof comparePeers>>[number];

export async function comparePeers(
  { sql, client }: { sql: Sql; client: PeerClient },
  own: { board: string; vkey: Vkey },
) {
  const peers = await sql.manager.find(Peer, {
    select: {
      originId: true,
      name: true,
      baseUrl: true,
      ackedSize: true,
      level: true,
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
        peer,
        /** It acknowledged an entry of ours. */
        followed: ackedSize > 0,
        /** Entries of our log under our own signature. */
        size: seen[0]?.size ?? null,
        answered: view !== null,
        /** Why its mirror forbids us to sign, or null. */
        conflict: await peerConflict(sql, seen),
        /** Our status there: `active`, …; null where it is not listed. */
        listed: listed?.status || null,
        /** Its clock minus ours. */
        clockMs: Number.isNaN(at) ? null : at - Date.now(),
      };
    }),
  );
}
