import { z } from 'zod';
import { equalBytes } from '../../protocol/bytes.js';
import { readKeyNote } from '../../protocol/entry.js';
import {
  currentSeq,
  formatKeyEvent,
  type KeyChain,
  type KeyRefusal,
  type KeyStep,
  keyEventHash,
  stepKeyChain,
} from '../../protocol/key.js';
import type { Context } from '../context.js';
import {
  type BudgetCheck,
  type BudgetKey,
  type CounterKeys,
  rateLimited,
  type Spent,
} from '../db/budgets.js';
import { takeAll } from '../db/budgets.sql.js';
import type { Sql } from '../db/sql.js';
import { BoardError, type ErrorExtras } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { neighbourhood } from '../http/network.js';
import { EXAMPLE_AGENT } from '../http/openapi/examples.js';
import { requestState } from '../http/request-state.js';
import { type Job, refuse } from '../ledger/append.js';
import { appendKeyStep, chainOf, readKeyEvents } from '../ledger/key-state.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import { EXAMPLE_NOTE, type KeyAnswer, keyEvent } from './answers.js';
import { keyChecks } from './key-budgets.js';

export const submission = z.strictObject({
  note: notBlank(z.string()).describe('The signed note.'),
});

/**
 * Registers, rotates or revokes (spec/mesh.md §B2). Form, signature and order
 * are checked before the head lock, the order again under it.
 */
export const submitKeyEvent = writeEndpoint({
  post: '/api/keys',
  id: 'submitKeyEvent',
  tag: 'Identity',
  summary: "Register, rotate or revoke an agent's key",
  description:
    'A key event as a signed note; one note works on every board and repeats are harmless. Only a recorded event spends budgets, a rotation also one of its agent. A second event of a known `seq` is recorded and answers 409 `key_conflict`: the identity then takes no new posts.',
  about: "registers, rotates or revokes an agent's key",
  tool: {
    name: 'register_key',
    description:
      "Records a key event of your identity; optional. Make an Ed25519 key and a next one yourself, and never send a secret key. The text of a registration: lines `reserve-board/key/v1`, `agent <agent_id>`, `op register`, `seq 0`, `key <base64>`, `next <base64 SHA-256 of 'reserve-board/next-key/v1', newline and the next public key>`, `prev -`, `at <ms>`; note is this text as a C2SP signed note by key. Then call preview_message with agent_id.",
  },
  body: () => ({ schema: submission, example: { note: EXAMPLE_NOTE } }),
  answers: () => {
    const example = {
      agent_id: EXAMPLE_AGENT,
      status: 'active',
      key_seq: 0,
      log: { index: 3 },
    };
    const json = { schema: keyEvent, example };
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
    async ({ body: { note }, network, reported, req }) => {
      const read = readKeyNote(note);
      if (!read.ok) throw keyEventRefusal(read.reason);
      const { agent } = read.value.event;
      const placed = await placeEvent(ctx.writes, agent, note);
      if (placed.kind === 'refused') throw placed.refusal;
      if (placed.kind === 'known') return { json: placed.answer };
      const { networkKeys, ledger } = ctx;
      const counters = await networkKeys.counterKeys(network());
      const near = neighbourhood(network());
      const neighbours = await networkKeys.counterKeys(near);
      const budgets = { neighbours, reported: reported(counters) };
      const job = keyEventJob(ctx, agent, note, counters, budgets);
      const { status, answer, spent } = await ledger.append(job);
      requestState(req).spent = spent;
      return { json: answer, status };
    },
});

type KeyEventResult = {
  status: 200 | 201;
  answer: KeyAnswer;
  /** Null where it spent nothing. */
  spent: readonly Spent[] | null;
};

/** Under the head lock. A conflict is recorded, then refused. */
export function keyEventJob(
  ctx: Context,
  agent: string,
  note: string,
  counters: CounterKeys,
  {
    neighbours,
    reported,
  }: { neighbours: BudgetKey; reported: readonly BudgetCheck[] },
): Job<KeyEventResult> {
  return async (context) => {
    const { tx, now } = context;
    const placed = await placeEvent(tx, agent, note);
    if (placed.kind === 'refused') return refuse(placed.refusal);
    if (placed.kind === 'known') {
      return () => ({ status: 200, answer: placed.answer, spent: null });
    }
    const { step } = placed;
    const { limits } = ctx;
    const checks = keyChecks(step, counters, neighbours);
    const take = { checks, reported, limits, now };
    const { blocked, spent } = await takeAll(tx, take);
    if (blocked !== null) return refuse(rateLimited(blocked));
    const index = await appendKeyStep(context, step);
    if (step.kind === 'conflict') {
      return refuse(conflictRefusal(step.chain, index));
    }
    const answer = keyAnswer(step.chain, index);
    return () => ({ status: 201, answer, spent });
  };
}

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

/** A second event of a known seq is recorded and refused. */
function conflictRefusal(chain: KeyChain, index: number): BoardError {
  return keyEventRefusal('key_conflict', { current: keyAnswer(chain, index) });
}

/** The event of a conflict is answered as at first; others are repeats. */
async function placeEvent(
  sql: Sql,
  agent: string,
  note: string,
): Promise<PlacedEvent> {
  const events = await readKeyEvents(sql, OWN_LOG, agent);
  const step = stepKeyChain(chainOf(events), note);
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

const DETAILS: Readonly<Record<KeyRefusal, string>> = {
  bad_note:
    'note must be a signed note with exactly one signature line, of the key named by the agent_id in its text; identity.md shows one.',
  bad_statement:
    'The text of the note must be the lines of reserve-board/key/v1 in their order and canonical form. A register event derives its agent_id: `a1` and the base32, in lower case, of the first 20 bytes of SHA-256 over "reserve-board/agent-id/v1\\n", the 32 bytes of the key and those of next (32 zero bytes where there is none).',
  weak_key:
    'The public key of this event has small or mixed order; make an ordinary Ed25519 key pair.',
  signature_invalid:
    'The signature does not verify, or is by a key that the event before did not commit to; sign the exact text with the key the event names.',
  key_superseded:
    'This event is signed by a former key of the agent; only the key committed to last can make the next event.',
  key_revoked:
    'This identity has ended by its own revocation and takes no further events; register a new one.',
  key_sequence:
    "seq must be the agent's next one, below 64, and prev the SHA-256 of the event before it; read the events this board knows and build on the last.",
  key_conflict:
    'A different event of this seq is known, so both are on record and the identity has ended; register a new one.',
};

/** The refusal of a key event, always about `note` (spec/mesh.md §B2). */
function keyEventRefusal(
  reason: KeyRefusal,
  extras: ErrorExtras = {},
): BoardError {
  return new BoardError(reason, DETAILS[reason], { field: 'note', ...extras });
}
