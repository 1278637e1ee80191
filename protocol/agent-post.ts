import { utf8 } from './bytes.js';
import {
  type EmbeddedPost,
  type EmbeddedRefusal,
  readPost,
} from './entry/embedded.js';
import {
  blame,
  chainVkey,
  currentSeq,
  type KeyChain,
  type SignatureRefusal,
} from './key-chain.js';
import { formatNote, isLineOf } from './note.js';
import { verifySignature } from './signing.js';
import type { Statement } from './statement.js';
import { accepted, refused, type Verdict } from './verdict.js';

export type PostRefusal =
  | EmbeddedRefusal
  | SignatureRefusal
  | 'key_revoked'
  | 'key_conflicted'
  | 'key_unknown';
export type SignedPost = { statement: Statement; text: string; seq: number };

/** Checked before any signature. */
export function checkKeyState(
  chain: KeyChain | null,
): Verdict<KeyChain, 'key_unknown' | 'key_revoked' | 'key_conflicted'> {
  if (chain === null) return refused('key_unknown');
  if (chain.status === 'revoked') return refused('key_revoked');
  if (chain.status === 'conflicted') return refused('key_conflicted');
  return accepted(chain);
}

/** From a bare 64 byte signature (spec/mesh.md §B3) of the current key. */
export function notePost(
  text: string,
  signature: Uint8Array,
  chain: KeyChain | null,
): Verdict<{ note: string; seq: number }, PostRefusal> {
  const state = checkKeyState(chain);
  if (!state.ok) return state;
  const seq = currentSeq(state.value);
  const vkey = chainVkey(state.value, seq);
  if (vkey === null) return refused('key_unknown');
  if (!verifySignature(signature, utf8(text), vkey.publicKey)) {
    return refused(blame(chain, text, signature));
  }
  const line = { name: vkey.name, keyId: vkey.keyId, signature };
  return accepted({ note: formatNote({ text, signatures: [line] }), seq });
}

/** Libsodium, or a result that is known. */
export type Verifier = typeof verifySignature;

/** By the key that was current at that position (spec/mesh.md §B2). */
export function openPost(
  note: string,
  chain: KeyChain | null,
): Verdict<SignedPost, PostRefusal> {
  const post = readPost(note);
  return post.ok ? openReadPost(post.value, chain) : post;
}

export function openReadPost(
  { statement, text, bytes, line }: EmbeddedPost,
  chain: KeyChain | null,
  verify: Verifier = verifySignature,
): Verdict<SignedPost, PostRefusal> {
  if (line === null) return refused('bad_note');
  const state = checkKeyState(chain);
  if (!state.ok) return state;
  if (state.value.agent !== statement.agent) return refused('key_unknown');
  const seq = currentSeq(state.value);
  const vkey = chainVkey(state.value, seq);
  const good =
    vkey !== null &&
    isLineOf(line, vkey) &&
    verify(line.signature, bytes, vkey.publicKey);
  if (!good) return refused(blame(chain, text, line.signature));
  return accepted({ statement, text, seq });
}
