import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { sendJson } from '../../server/http/conditional.js';
import { parseBody } from '../../server/http/validate.js';
import type { Receipt } from '../../server/openapi/receipt.js';
import type { RelayReceipt } from '../../server/openapi/relay.js';
import {
  alreadyPublished,
  type PublishResult,
} from '../../server/write/receipt.js';
import { openRelayNote } from './open-relay-note.js';
import { publishRelayed } from './publish-relayed.js';
import { type ReadEnvelope, readEnvelope } from './read-envelope.js';
import { tagCounters, takeAttempt } from './relay-payer.js';
import { relayRequest } from './relay-request.js';

/**
 * POST /api/mesh/relay: a signed post that another node hands in (spec/mesh.md
 * §B10). 201 or 200 with the receipt, its leaf and index.
 *
 * The relay note comes first, then an attempt is spent; an accepted request
 * answers before keys and times are looked at. 400 `bad_note`,
 * `bad_statement`, `bad_content`, `wrong_board`, `stale_statement`,
 * `invalid_input`, `poll_not_allowed_on_reply`; 403 `peer_not_allowed`,
 * `signature_invalid` and those of keys; 409 `request_id_conflict`,
 * `parent_mismatch`, `funnel_thread_changed`, `series_requires_reply`,
 * `key_sequence`; 413, 415, 422, 429, 503.
 */
export function acceptRelay(ctx: Context): RequestHandler {
  return async (req, res) => {
    const request = parseBody(relayRequest, req.body);
    const now = ctx.clock.now();
    const relay = await openRelayNote(ctx, request.relay_note, now);
    const counters = tagCounters(relay, now);
    await takeAttempt(ctx, relay, counters, now);
    const envelope = readEnvelope(ctx, request.envelope, relay);
    const { status, receipt } =
      (await acceptedBefore(ctx, envelope)) ??
      (await publishRelayed(ctx, envelope, relay, counters, now));
    const answer = await withLeaf(ctx, receipt);
    sendJson(req, res, answer, { cache: 'no-store', status });
  };
}

async function acceptedBefore(
  ctx: Context,
  { statement, contentHash }: ReadEnvelope,
): Promise<PublishResult | null> {
  const { request: requestId } = statement;
  const [row] = await ctx.writes.query<{
    content_hash: Buffer;
    receipt: string;
  }>('SELECT content_hash, receipt FROM write_request WHERE request_id = $1', [
    requestId,
  ]);
  if (row === undefined) return null;
  const accepted = { contentHash: row.content_hash, receipt: row.receipt };
  return alreadyPublished({ requestId, contentHash }, accepted);
}

async function withLeaf(ctx: Context, receipt: Receipt): Promise<RelayReceipt> {
  const { origin, index } = receipt.log;
  const [row] = await ctx.writes.query<{ leaf: Buffer }>(
    `SELECT e.leaf FROM log_state s
     JOIN log_entry e ON e.origin_id = s.origin_id AND e.idx = $2
     WHERE s.origin = $1 AND (s.origin_id = 0 OR s.closed_at IS NOT NULL)`,
    [origin, index],
  );
  if (row === undefined) throw new Error('a receipt without its entry');
  return { ...receipt, leaf: row.leaf.toString('utf8'), index };
}
