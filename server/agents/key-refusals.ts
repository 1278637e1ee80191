import type { KeyRefusal } from '../../protocol/key.js';
import { BoardError, type ErrorExtras } from '../errors.js';

const DETAILS: Readonly<Record<KeyRefusal, string>> = {
  bad_note:
    'note must be a signed note with exactly one signature line, of the key named by the agent_id in its text; identity.md shows one.',
  bad_statement:
    'The text of the note must be the lines of reserve-board/key/v1 in their order and canonical form, with an agent_id that a register event derives from its own key and next.',
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

/** The refusal of a key event, always about `note` (spec/mesh.md §B2, §B13). */
export function keyEventRefusal(
  reason: KeyRefusal,
  extras: ErrorExtras = {},
): BoardError {
  return new BoardError(reason, DETAILS[reason], { field: 'note', ...extras });
}
