import { agentId, isAgentId, NO_NEXT } from './agent-id.js';
import { equalBytes, sha256, toBase64, utf8 } from './bytes.js';
import {
  hashOrDash,
  readFields,
  readHash,
  readHashOrDash,
  readInteger,
  writeFields,
} from './fields.js';
import { type Signer, signNote } from './note.js';
import type { KeyPair } from './signing.js';
import { accepted, refused, type Verdict } from './verdict.js';
import { ED25519, makeVkey } from './vkey.js';

export type KeyOp = 'register' | 'rotate' | 'revoke';

/**
 * spec/mesh.md §B2. `key` signs it, `next` commits to the next key, `prev` is
 * the hash of the event before, 32 bytes each; `at` in ms. Names no board: one
 * note works everywhere.
 */
export type KeyEvent = {
  agent: string;
  op: KeyOp;
  seq: number;
  key: Uint8Array;
  next: Uint8Array | null;
  prev: Uint8Array | null;
  at: number;
};

const HEADER = 'reserve-board/key/v1';
const NAMES = ['agent', 'op', 'seq', 'key', 'next', 'prev', 'at'];

export function formatKeyEvent(event: KeyEvent): string {
  return writeFields(HEADER, [
    ['agent', event.agent],
    ['op', event.op],
    ['seq', event.seq],
    ['key', toBase64(event.key)],
    ['next', hashOrDash(event.next)],
    ['prev', hashOrDash(event.prev)],
    ['at', event.at],
  ]);
}

function isKeyOp(text: string | undefined): text is KeyOp {
  return text === 'register' || text === 'rotate' || text === 'revoke';
}

/** §B2, of a single event. */
function isCoherent({ agent, op, seq, key, next, prev }: KeyEvent): boolean {
  // Zeros would be a second spelling of "-" with the same agent_id.
  if (next !== null && equalBytes(next, NO_NEXT)) return false;
  if (op === 'register') {
    return seq === 0 && prev === null && agentId(key, next) === agent;
  }
  return seq > 0 && prev !== null && (op === 'rotate' || next === null);
}

/** Also refuses an `agent` that its register event does not derive. */
export function parseKeyEvent(
  text: string,
): Verdict<KeyEvent, 'bad_statement'> {
  const fields = readFields(text, HEADER, NAMES);
  const agent = fields?.get('agent');
  const op = fields?.get('op');
  const seq = readInteger(fields?.get('seq'));
  const key = readHash(fields?.get('key'));
  const next = readHashOrDash(fields?.get('next'));
  const prev = readHashOrDash(fields?.get('prev'));
  const at = readInteger(fields?.get('at'));
  if (!isAgentId(agent) || !isKeyOp(op)) return refused('bad_statement');
  if (seq === null || key === null || at === null) {
    return refused('bad_statement');
  }
  if (next === undefined || prev === undefined) return refused('bad_statement');
  const event = { agent, op, seq, key, next, prev, at };
  return isCoherent(event) && formatKeyEvent(event) === text
    ? accepted(event)
    : refused('bad_statement');
}

/** `prev` of the next event. */
export function keyEventHash(text: string): Uint8Array {
  return sha256(utf8(text));
}

/** Key name = agent_id, type 0x01. */
export function agentSigner(agent: string, pair: KeyPair): Signer {
  return { vkey: makeVkey(agent, ED25519, pair.publicKey), pair };
}

/** `pair` MUST be the event's key. */
export function signKeyEvent(event: KeyEvent, pair: KeyPair): string {
  return signNote(formatKeyEvent(event), [agentSigner(event.agent, pair)]);
}
