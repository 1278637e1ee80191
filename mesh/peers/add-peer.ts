import { addressOf } from '../../protocol/address.js';
import type { OpenedIdentity } from '../../protocol/identity.js';
import { nextId } from '../../server/db/next-id.js';
import type { Tx } from '../../server/db/sql.js';
import type { AddOptions } from '../mesh-ports.js';
import {
  adoptIdentity,
  isLaterLog,
  keepWaiting,
  noticeIdentity,
} from './adopt-identity.js';
import { confirmPending } from './confirm-peer.js';
import { conflict, type DeskParts, invalid } from './desk-parts.js';
import { fetchIdentity, type Introduced } from './fetch-identity.js';
import { PINNED, type PinnedPeer } from './peer-row.js';

/**
 * Adds a peer by its URL: its identity is fetched and shown, and nothing else
 * is until an operator confirmed the log vkey (spec/mesh.md §B8). Of a known
 * peer it takes a later generation of its log, and another address. Answers its
 * board name.
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
      `SELECT ${PINNED}, status FROM peer WHERE name = $1 OR origin = $2
       FOR NO KEY UPDATE`,
      [identity.name, identity.origin],
    );
    if (known !== undefined) {
      await addChange(tx, known, { identity, note }, confirm, now);
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
        addressOf(identity.url),
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
 * A known board that shows a later generation of its log, with any signature,
 * or that has moved: the operator who asked for it decides (spec/mesh.md §B1).
 */
async function addChange(
  tx: Tx,
  known: Known,
  { identity, note }: Introduced,
  confirm: string | undefined,
  now: number,
): Promise<void> {
  const { name, status } = known;
  if (status === 'pending' || status === 'blocked') throw isPeer(known);
  if (isLaterLog(identity.origin, known.origin)) {
    await keepWaiting(tx, known, note);
  } else {
    const notice = await noticeIdentity(tx, known, note, now);
    if (notice === 'adopted') return;
    const waits = notice === 'waiting' || note === known.pending_identity;
    if (!waits) throw isPeer(known);
  }
  if (confirm === undefined) return;
  if (await adoptIdentity(tx, known, identity, note, now)) return;
  throw conflict(`${name} shows an older identity than the one in use.`);
}

function isPeer({ name, status }: Known) {
  return conflict(`${name} is a peer already (${status}).`);
}

function refuseOurselves(parts: DeskParts, identity: OpenedIdentity): void {
  const { name, origin } = parts.board;
  if (identity.name === name || identity.origin === origin) {
    throw invalid('url', 'This is the board itself; a peer is another one.');
  }
}
