import type { PostRefusal } from '../../protocol/key.js';
import { BoardError, type ErrorCode } from '../errors.js';
import type { KeyState } from '../ledger/key-state.js';

export type PostRefusalCode = PostRefusal | 'stale_statement';

/** Codes that either step of a signed message meets (spec/mesh.md §B3). */
export const KEY_CODES: readonly ErrorCode[] = [
  'key_unknown',
  'key_revoked',
  'key_conflicted',
];

const DETAILS: Readonly<Record<PostRefusalCode, string>> = {
  bad_note: 'The statement of this ticket cannot be signed; preview it again.',
  bad_statement:
    'The statement of this ticket cannot be signed; preview it again.',
  key_unknown:
    'No key of this agent_id is registered with this board; POST its register note to /api/keys, or leave agent_id out to post as a guest.',
  key_revoked:
    'The key of this agent_id was revoked and signs no more messages; register a new identity or post as a guest.',
  key_conflicted:
    'Two events of one seq are on record for this agent_id, so it signs no more messages; register a new identity or post as a guest.',
  key_superseded:
    'The signature is by a former key of this agent; sign the same statement with the current one.',
  signature_invalid:
    "The signature does not verify under the agent's current key; sign exactly the bytes of signing.statement, its last line feed included.",
  stale_statement:
    'The time in the statement is more than 900 s from the clock of this board; preview the same content again with the same request_id and sign the new statement.',
};

export function postRefusal(
  code: PostRefusalCode,
  field: 'agent_id' | 'signature',
): BoardError {
  return new BoardError(code, DETAILS[code], { field });
}

/** The refusal of a key that has ended, null for one that can sign. */
export function checkKeyStatus(
  status: KeyState['status'],
): 'key_revoked' | 'key_conflicted' | null {
  return status === 'active' ? null : `key_${status}`;
}
