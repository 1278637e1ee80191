import type { OpenedIdentity } from '../../protocol/identity.js';
import { nextId } from '../../server/db/next-id.js';
import type { AddOptions } from '../../server/peer-desk.js';
import { confirmPending } from './confirm-peer.js';
import { conflict, type DeskParts, invalid } from './desk-parts.js';
import { fetchIdentity } from './fetch-identity.js';

/**
 * Adds a peer by its URL: its identity is fetched and shown, and nothing else
 * is until an operator confirmed the log vkey (mesh.md B8). Answers its board
 * name.
 */
export async function addPeer(
  parts: DeskParts,
  url: string,
  { confirm, trust = 'mirror', content = 'signed' }: AddOptions = {},
): Promise<string> {
  const { identity, note } = await fetchIdentity(parts.client, url);
  refuseOurselves(parts, identity);
  if (confirm !== undefined && confirm !== identity.log) {
    throw invalid(
      'confirm',
      `The board shows the log key ${identity.log}, not the one to confirm; nothing was added.`,
    );
  }
  const { db, clock } = parts;
  const now = clock.now();
  await db.transaction(async (tx) => {
    const [known] = await tx.query<{ name: string; status: string }>(
      'SELECT name, status FROM peer WHERE name = $1 OR origin = $2',
      [identity.name, identity.origin],
    );
    if (known !== undefined) {
      throw conflict(`${known.name} is a peer already (${known.status}).`);
    }
    const originId = await nextId(tx, 'log_origin');
    await tx.query(
      `INSERT INTO peer (origin_id, name, origin, base_url, log_vkey,
         mirror_vkey, node_vkey, identity, identity_seq, added_at, status,
         status_at, trust, content)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending', $10, $11,
         $12)`,
      [
        originId,
        identity.name,
        identity.origin,
        identity.url,
        identity.log,
        identity.mirror,
        identity.node,
        note,
        identity.seq,
        now,
        trust,
        content,
      ],
    );
    if (confirm !== undefined) await confirmPending(tx, originId, now);
  });
  return identity.name;
}

function refuseOurselves(parts: DeskParts, identity: OpenedIdentity): void {
  const { name, origin } = parts.board;
  if (identity.name === name || identity.origin === origin) {
    throw invalid('url', 'This is the board itself; a peer is another one.');
  }
}
