import type { RequestHandler } from 'express';
import { z } from 'zod';
import { readKeyNote } from '../../protocol/entry.js';
import { chainOf, readKeyEvents } from '../agents/key-state.js';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { requestNetwork } from '../http/request-network.js';
import { notBlank, parseBody } from '../http/validate.js';
import { OWN_LOG } from '../ledger/nodes.js';
import { keyEventJob } from './key-event-job.js';
import { keyEventRefusal } from './key-refusals.js';
import { type KnownKeys, placeEvent } from './place-event.js';

/**
 * Body of POST /api/keys: one key event as a signed note (spec/mesh.md §B2).
 */
export const submission = z.strictObject({
  note: notBlank(z.string()).describe(
    'A signed note with the lines of one key event.',
  ),
});

/**
 * POST /api/keys `{note}`: registers, rotates or revokes an agent's key
 * (spec/mesh.md §B2). 201 `{agent_id, status, key_seq, log: {index}}`, the same
 * with 200 for an event known already.
 *
 * Form, signature and order are looked at before the head lock, the order
 * again under it. Only a recorded event spends budgets. 400 `bad_note`,
 * `bad_statement`; 403 `weak_key`, `signature_invalid`, `key_superseded`,
 * `key_revoked`; 409 `key_sequence`, `key_conflict` (recorded); 429; 413, 415,
 * 503.
 */
export function submitKeyEvent(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { note } = parseBody(submission, req.body);
    const read = readKeyNote(note);
    if (!read.ok) throw keyEventRefusal(read.reason);
    const { agent } = read.value.event;
    const events = await readKeyEvents(ctx.writes, OWN_LOG, agent);
    const known: KnownKeys = { events, chain: chainOf(events) };
    const placed = placeEvent(known, note);
    if (placed.kind === 'refused') throw placed.refusal;
    if (placed.kind === 'known') {
      sendJson(req, res, placed.answer, { cache: 'no-store' });
      return;
    }
    const network = requestNetwork(req, ctx.trustedProxies);
    const counters = await ctx.networkKeys.counterKeys(network);
    const job = keyEventJob(ctx, agent, note, counters);
    const { status, answer } = await ctx.ledger.append(job);
    sendJson(req, res, answer, { cache: 'no-store', status });
  };
}
