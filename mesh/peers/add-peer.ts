import type { OpenedIdentity } from '../../protocol/identity.js';
import { nextId } from '../../server/db/next-id.js';
import type { Tx } from '../../server/db/sql.js';
import type { AddOptions } from '../../server/peer-desk.js';
import { adoptIdentity, isLaterLog } from './adopt-identity.js';
import { confirmPending } from './confirm-peer.js';
import { conflict, type DeskParts, invalid } from './desk-parts.js';
import { fetchIdentity, type Introduced } from './fetch-identity.js';
import { PINNED, type PinnedPeer } from './peer-row.js';

/**
 * Adds a peer by its URL: its identity is fetched and shown, and nothing else
 * is until an operator confirmed the log vkey (mesh.md B8). Of a known peer it
 * takes a later generation of its log. Answers its board name.
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
    const [known] = await tx.query<Known>(
      `SELECT ${PINNED}, status FROM peer WHERE name = $1 OR origin = $2`,
      [identity.name, identity.origin],
    );
    if (known !== undefined) {
      await addGeneration(tx, known, { identity, note }, confirm, now);
      return;
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

type Known = PinnedPeer & { status: string };

/**
 * A known board that shows a later generation of its log, whoever signed it:
 * the operator who asked for it decides (mesh.md B1).
 */
async function addGeneration(
  tx: Tx,
  known: Known,
  { identity, note }: Introduced,
  confirm: string | undefined,
  now: number,
): Promise<void> {
  const { name, status } = known;
  const settled = status !== 'pending' && status !== 'blocked';
  if (!settled || !isLaterLog(identity.origin, known.origin)) {
    throw conflict(`${name} is a peer already (${status}).`);
  }
  if (confirm !== undefined) {
    await adoptIdentity(tx, known, identity, note, now);
    return;
  }
  await tx.query('UPDATE peer SET pending_identity = $2 WHERE origin_id = $1', [
    known.origin_id,
    note,
  ]);
}

function refuseOurselves(parts: DeskParts, identity: OpenedIdentity): void {
  const { name, origin } = parts.board;
  if (identity.name === name || identity.origin === origin) {
    throw invalid('url', 'This is the board itself; a peer is another one.');
  }
}
