import { z } from 'zod';
import { equalBytes } from '../../protocol/bytes.js';
import { readKeyNote } from '../../protocol/entry.js';
import {
  currentSeq,
  formatKeyEvent,
  type KeyChain,
  type KeyStep,
  keyEventHash,
  stepKeyChain,
} from '../../protocol/key.js';
import type { Context } from '../context.js';
import { rateLimited } from '../db/budgets.js';
import type { BoardError } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_AGENT } from '../http/openapi/examples.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import type { Job } from '../ledger/batch.js';
import {
  chainOf,
  readKeyEvents,
  type StoredKeyEvent,
} from '../ledger/key-state.js';
import { OWN_LOG } from '../ledger/nodes.js';
import { appendKeyStep } from '../ledger/record-key-step.js';
import { refuse } from '../moderation/record-decision.js';
import { type KeyAnswer, keyEvent } from './answers.js';
import { EXAMPLE_NOTE } from './example-note.js';
import { takeKeyBudgets } from './key-budgets.js';
import { keyEventRefusal } from './key-refusals.js';

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

type KeyEventResult = { status: 200 | 201; answer: KeyAnswer };

/**
 * The part of `POST /api/keys` under the head lock: the event's place in the
 * chain as it is now, the budgets, and the entry. A conflict is recorded, and
 * only then refused.
 */
export function keyEventJob(
  ctx: Context,
  agent: string,
  note: string,
  counters: CounterKeys,
): Job<KeyEventResult> {
  return async (turn) => {
    const events = await readKeyEvents(turn.tx, OWN_LOG, agent);
    const placed = placeEvent({ events, chain: chainOf(events) }, note);
    if (placed.kind === 'refused') return refuse(placed.refusal);
    if (placed.kind === 'known') {
      return () => ({ status: 200, answer: placed.answer });
    }
    const { step } = placed;
    const blocked = await takeKeyBudgets(
      turn.tx,
      step,
      counters,
      ctx.limits,
      turn.now,
    );
    if (blocked !== null) return refuse(rateLimited(blocked));
    const index = await appendKeyStep(turn, step);
    if (step.kind === 'conflict') {
      return refuse(conflictRefusal(step.chain, index));
    }
    return () => ({ status: 201, answer: keyAnswer(step.chain, index) });
  };
}

/** An agent's events in the board's log and the chain they make. */
type KnownKeys = {
  events: readonly StoredKeyEvent[];
  chain: KeyChain | null;
};

type PlacedEvent =
  | { kind: 'refused'; refusal: BoardError }
  | { kind: 'known'; answer: KeyAnswer }
  | { kind: 'new'; step: KeyStep };

function keyAnswer(chain: KeyChain, index: number): KeyAnswer {
  return {
    agent_id: chain.agent,
    status: chain.status,
    key_seq: currentSeq(chain),
    log: { index },
  };
}

/** A second event of a known seq: on record, and an error for its sender. */
function conflictRefusal(chain: KeyChain, index: number): BoardError {
  return keyEventRefusal('key_conflict', { current: keyAnswer(chain, index) });
}

/**
 * Where an event belongs. The event that made a conflict is answered again as
 * it was the first time; every other known one is an exact repeat.
 */
function placeEvent({ events, chain }: KnownKeys, note: string): PlacedEvent {
  const step = stepKeyChain(chain, note);
  if (!step.ok) {
    return { kind: 'refused', refusal: keyEventRefusal(step.reason) };
  }
  if (step.value.kind !== 'repeat') return { kind: 'new', step: step.value };
  const hash = keyEventHash(formatKeyEvent(step.value.event));
  const stored = events.find((one) => equalBytes(one.hash, hash));
  if (stored === undefined) throw new Error('a repeat of nothing stored');
  const { index, conflict } = stored;
  return conflict
    ? { kind: 'refused', refusal: conflictRefusal(step.value.chain, index) }
    : { kind: 'known', answer: keyAnswer(step.value.chain, index) };
}
