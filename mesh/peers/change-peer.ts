import { BoardError } from '../../server/errors.js';
import type { LimitsChange, TrustChange } from '../mesh-ports.js';
import { logsOfBoard } from '../pull/verify/former-logs.js';
import { type DeskParts, invalid, requirePeer } from './desk-parts.js';
import { TRUSTS } from './peer-row.js';

/**
 * Sets what a peer is trusted with and what of it is kept (spec/mesh.md §B8).
 */
export async function trustPeer(
  parts: DeskParts,
  board: string,
  { trust, content, decisions }: TrustChange,
): Promise<void> {
  const peer = await requirePeer(parts, board);
  if (trust !== undefined && !TRUSTS.includes(trust)) {
    throw invalid('trust', `Trust is one of ${TRUSTS.join(', ')}.`);
  }
  if (content !== undefined && !['signed', 'all'].includes(content)) {
    throw invalid('content', 'Content is signed or all.');
  }
  if (decisions !== undefined && !['annotate', 'follow'].includes(decisions)) {
    throw invalid('decisions', 'Decisions are annotate or follow.');
  }
  await parts.db.query(
    `UPDATE peer SET trust = coalesce($2, trust),
       content = coalesce($3, content), decisions = coalesce($4, decisions)
     WHERE origin_id = $1`,
    [peer.origin_id, trust ?? null, content ?? null, decisions ?? null],
  );
}

const QUOTAS = [
  'entries_day',
  'content_bytes_day',
  'backfill_bytes_hour',
] as const;

/**
 * Sets a peer's own quotas, or ends its probation (spec/mesh.md §B8, §B11). A
 * pull that waits for a quota is tried at once under the new ones.
 */
export async function limitPeer(
  parts: DeskParts,
  board: string,
  change: LimitsChange,
): Promise<void> {
  const peer = await requirePeer(parts, board);
  for (const name of QUOTAS) {
    const value = change[name];
    if (value === undefined || value === null) continue;
    if (!Number.isSafeInteger(value) || value < 0) {
      throw invalid(name, `${name} is a number of 0 or more, or default.`);
    }
  }
  const [entries, bytes, backfill] = QUOTAS.map((name) =>
    change[name] === undefined ? peer[name] : change[name],
  );
  await parts.db.query(
    `UPDATE peer SET entries_day = $2, content_bytes_day = $3,
       backfill_bytes_hour = $4,
       probation_until = CASE WHEN $5::boolean THEN NULL
         ELSE probation_until END,
       retry_at = CASE WHEN last_error_code = 'quota' THEN NULL
         ELSE retry_at END
     WHERE origin_id = $1`,
    [peer.origin_id, entries, bytes, backfill, change.probation === false],
  );
}

/**
 * Hides a mirrored message here, whatever its board shows (451), in whichever
 * generation of its log it stands.
 */
export async function hideMirrored(
  parts: DeskParts,
  board: string,
  id: number,
  { reason, undo = false }: { reason?: string; undo?: boolean } = {},
): Promise<{ board: string; id: number; hidden: boolean }> {
  const peer = await requirePeer(parts, board);
  if (!Number.isSafeInteger(id) || id < 1) {
    throw invalid('id', 'The ID of a message is a number from 1.');
  }
  const hidden = await parts.db.query(
    `UPDATE mirror_message SET hidden_at = $3, hidden_reason = $4
     WHERE origin_id = ANY($1::int[]) AND id = $2 RETURNING id`,
    [
      await logsOfBoard(parts.db, peer.origin_id),
      id,
      undo ? null : parts.clock.now(),
      undo ? null : (reason ?? null),
    ],
  );
  if (hidden.length > 0) return { board: peer.name, id, hidden: !undo };
  throw new BoardError(
    'message_not_found',
    `No message ${id} of ${peer.name} is mirrored here.`,
  );
}
