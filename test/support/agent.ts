import type { Test } from 'supertest';
import { fromBase64, toBase64, utf8 } from '../../protocol/bytes.js';
import { contentHash } from '../../protocol/content.js';
import {
  agentId,
  formatKeyEvent,
  type KeyEvent,
  keyEventHash,
  nextCommitment,
  signKeyEvent,
} from '../../protocol/key.js';
import {
  type KeyPair,
  keyPairFromSeed,
  signBytes,
} from '../../protocol/signing.js';
import type { Reached } from './board.js';
import { filled, type Post, preview, type Receipt } from './post.js';
import { randomBytes } from './random.js';

/** The limits of keys and of what they sign out of the way. */
export const LIFTED_KEYS = {
  keys_per_network_hour: 1_000_000,
  keys_per_board_hour: 1_000_000,
  key_rotations_per_agent_day: 1_000_000,
  writes_per_key_minute: 1_000_000,
  writes_per_key_hour: 1_000_000,
};

/** Needs libsodium, which a started board has made ready. */
export const freshPair = (): KeyPair => keyPairFromSeed(randomBytes(32));

/** An agent with its keys: `pairs[seq]`, and the last one committed to. */
export type Agent = {
  id: string;
  /** Keys by seq; of a rotatable agent one more than it has events. */
  pairs: KeyPair[];
  events: KeyEvent[];
  notes: string[];
};

export function newAgent(options: { rotatable?: boolean } = {}): Agent {
  const pairs = [freshPair()];
  if (options.rotatable !== false) pairs.push(freshPair());
  const [first, second] = pairs;
  if (first === undefined) throw new Error('no key');
  const next = second === undefined ? null : nextCommitment(second.publicKey);
  const id = agentId(first.publicKey, next);
  const event: KeyEvent = {
    agent: id,
    op: 'register',
    seq: 0,
    key: first.publicKey,
    next,
    prev: null,
    at: 1_768_478_400_000,
  };
  return { id, pairs, events: [event], notes: [signKeyEvent(event, first)] };
}

export function pairOf(agent: Agent, seq: number): KeyPair {
  const pair = agent.pairs[seq];
  if (pair === undefined) throw new Error(`no key ${seq}`);
  return pair;
}

export function currentPair(agent: Agent): KeyPair {
  return pairOf(agent, agent.events.length - 1);
}

/** The agent's next event, changed as a test needs it; not yet kept. */
export function nextEvent(
  agent: Agent,
  op: 'rotate' | 'revoke',
  changed: Partial<KeyEvent> = {},
): KeyEvent {
  const seq = agent.events.length;
  const before = agent.events[seq - 1];
  if (before === undefined) throw new Error('an agent without events');
  const pair =
    before.next === null ? pairOf(agent, seq - 1) : pairOf(agent, seq);
  if (op === 'rotate') agent.pairs[seq + 1] ??= freshPair();
  const after = op === 'rotate' ? pairOf(agent, seq + 1) : null;
  return {
    agent: agent.id,
    op,
    seq,
    key: pair.publicKey,
    next: after === null ? null : nextCommitment(after.publicKey),
    prev: keyEventHash(formatKeyEvent(before)),
    at: before.at + 1000,
    ...changed,
  };
}

export function advance(
  agent: Agent,
  op: 'rotate' | 'revoke',
  changed: Partial<KeyEvent> = {},
): string {
  const event = nextEvent(agent, op, changed);
  const note = signEvent(agent, event);
  agent.events.push(event);
  agent.notes.push(note);
  return note;
}

export function signEvent(agent: Agent, event: KeyEvent): string {
  const pair = agent.pairs.find((one) =>
    Buffer.from(one.publicKey).equals(event.key),
  );
  if (pair === undefined) throw new Error('a key of nobody');
  return signKeyEvent(event, pair);
}

export function sendKey(test: Reached, note: unknown, from?: string): Test {
  return test.as(from).post('/api/keys').send({ note });
}

export async function register(
  test: Reached,
  options: { rotatable?: boolean; from?: string } = {},
): Promise<Agent> {
  const agent = newAgent(options);
  await record(test, agent.notes[0] ?? '', options.from);
  return agent;
}

export async function record(
  test: Reached,
  note: string,
  from?: string,
): Promise<{ status: string; key_seq: number; log: { index: number } }> {
  const answer = await sendKey(test, note, from);
  if (answer.status !== 201) {
    throw new Error(`POST /api/keys: ${answer.status} ${answer.text}`);
  }
  return answer.body;
}

export function signed(
  previewed: {
    body: {
      challenge: string;
      publish: { json_template: object };
      signing: { statement: string };
    };
  },
  pair: KeyPair,
): Record<string, unknown> {
  const { statement } = previewed.body.signing;
  const signature = toBase64(signBytes(utf8(statement), pair));
  return { ...filled(previewed), signature };
}

/** Preview, check, sign, publish; throws unless it is newly published. */
export async function publishSigned(
  test: Reached,
  agent: Agent,
  post: Post = {},
  from?: string,
): Promise<Receipt> {
  const previewed = await preview(test, { agent_id: agent.id, ...post }, from);
  if (previewed.status !== 200) {
    throw new Error(`preview: ${previewed.status} ${previewed.text}`);
  }
  const answer = await test
    .as(from)
    .post('/write/publish')
    .send(signed(previewed, currentPair(agent)));
  if (answer.status !== 201) {
    throw new Error(`publish: ${answer.status} ${answer.text}`);
  }
  return answer.body as Receipt;
}

export function contentLine(
  salt: string,
  words: { name: string; title?: string; body: string },
): string {
  const bytes = fromBase64(salt, 16);
  if (bytes === null) throw new Error('not a salt');
  return toBase64(contentHash({ salt: bytes, ...words }));
}
