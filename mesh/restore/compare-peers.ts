import type { Vkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import { peerConflict } from '../../server/ledger/rollback-checks.js';
import { serves } from '../peers/levels.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { readListing, witnessedBy } from '../witness/ask-peer.js';
import { lookForMirrors } from './find-mirrors.js';

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
    select: {
      ...{ originId: true, name: true, baseUrl: true },
      ...{ ackedSize: true, level: true },
    },
    where: [{ status: 'active' }, { status: 'quarantined' }],
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
