import {
  type KeyChain,
  type KeyEvent,
  parseKeyEvent,
  replayKeyNotes,
  signKeyEvent,
} from '../../../protocol/key.js';
import type { KeyPair } from '../../../protocol/signing.js';
import { must, seedPair, taken, vectors } from './vectors.js';

export const one = vectors.agent_keys.agent_1;
export const two = vectors.agent_keys.agent_2_not_rotatable;
export const agent = one.agent_id;
const pairs = one.keys.map((key) => seedPair(key.seed_hex));
export const pair = (seq: number): KeyPair => must(pairs[seq]);
export const { register_note, rotate_note, revoke_note } = one;
export const chainOf = (...notes: string[]): KeyChain =>
  must(taken(replayKeyNotes(notes)));
export const eventOf = (text: string) => taken(parseKeyEvent(text));
export const registered = chainOf(register_note);
export const rotated = chainOf(register_note, rotate_note);
export const revoked = chainOf(register_note, rotate_note, revoke_note);
export const rotation = eventOf(one.rotate_statement);

export const rotate = (changed: Partial<KeyEvent>, by: KeyPair) =>
  signKeyEvent({ ...rotation, ...changed }, by);
