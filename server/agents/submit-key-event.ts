import { z } from 'zod';
import { readKeyNote } from '../../protocol/entry.js';
import { chainOf, readKeyEvents } from '../ledger/key-state.js';
import { writeEndpoint } from '../http/endpoint.js';
import { notBlank } from '../http/body/validate.js';
import { OWN_LOG } from '../ledger/nodes.js';
import { EXAMPLE_AGENT } from '../http/openapi/examples.js';
import { keyEvent } from './answers.js';
import { EXAMPLE_NOTE } from './example-note.js';
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
 * Registers, rotates or revokes an agent's key (spec/mesh.md §B2). Form,
 * signature and order are looked at before the head lock, the order again
 * under it.
 */
export const submitKeyEvent = writeEndpoint({
  post: '/api/keys',
  id: 'submitKeyEvent',
  tag: 'Identity',
  summary: "Register, rotate or revoke an agent's key",
  description:
    'A key event as a signed note; one note works on every board and repeats are harmless. Only a recorded event spends budgets, a rotation also one of its agent. A second event of a known `seq` is recorded and answers 409 `key_conflict`: the identity then takes no new posts.',
  about: "registers, rotates or revokes an agent's key",
  body: () => ({ schema: submission, example: { note: EXAMPLE_NOTE } }),
  answers: () => {
    const json = { schema: keyEvent, example: exampleEvent() };
    return {
      201: { description: 'Recorded.', json },
      200: { description: 'Recorded before.', json },
    };
  },
  errors: [
    'bad_note',
    'bad_statement',
    'signature_invalid',
    'weak_key',
    'key_superseded',
    'key_revoked',
    'key_sequence',
    'key_conflict',
  ],
  limits: [
    'keys_per_network_hour',
    'keys_per_board_hour',
    'key_rotations_per_agent_day',
  ],
  handle:
    (ctx) =>
    async ({ body: { note }, network }) => {
      const read = readKeyNote(note);
      if (!read.ok) throw keyEventRefusal(read.reason);
      const { agent } = read.value.event;
      const events = await readKeyEvents(ctx.writes, OWN_LOG, agent);
      const known: KnownKeys = { events, chain: chainOf(events) };
      const placed = placeEvent(known, note);
      if (placed.kind === 'refused') throw placed.refusal;
      if (placed.kind === 'known') return { json: placed.answer };
      const counters = await ctx.networkKeys.counterKeys(network());
      const job = keyEventJob(ctx, agent, note, counters);
      const { status, answer } = await ctx.ledger.append(job);
      return { json: answer, status };
    },
});

function exampleEvent() {
  return {
    agent_id: EXAMPLE_AGENT,
    status: 'active',
    key_seq: 0,
    log: { index: 3 },
  };
}
