import { concat, sha256, utf8 } from './bytes.js';

const NEXT_KEY = utf8('reserve-board/next-key/v1\n');
const AGENT_ID = utf8('reserve-board/agent-id/v1\n');
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_BYTES = 20;

/** What stands for "no next key" inside an agent_id: 32 zero bytes. */
export const NO_NEXT: Uint8Array = new Uint8Array(32);

/** Commits to the next key (spec/mesh.md §B2). */
export function nextCommitment(nextPublicKey: Uint8Array): Uint8Array {
  return sha256(NEXT_KEY, nextPublicKey);
}

/** RFC 4648 section 6, lower case; 20 bytes need no padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    held += 8;
    while (held >= 5) {
      held -= 5;
      text += ALPHABET[(bits >>> held) & 31];
    }
  }
  return text;
}

/**
 * 34 characters, bound to the first key and its commitment (`next` null: never
 * rotatable; spec/mesh.md §B2).
 */
export function agentId(
  publicKey: Uint8Array,
  next: Uint8Array | null,
): string {
  const hash = sha256(concat(AGENT_ID, publicKey, next ?? NO_NEXT));
  return `a1${base32(hash.slice(0, ID_BYTES))}`;
}

export function isAgentId(text: string | undefined): text is string {
  return text !== undefined && /^a1[a-z2-7]{32}$/.test(text);
}
