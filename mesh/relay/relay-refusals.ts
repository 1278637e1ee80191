import type { PostRefusal } from '../../protocol/agent-post.js';
import type { KeyRefusal } from '../../protocol/key.js';
import { BoardError } from '../../server/errors.js';

export type RelayRefusal =
  | PostRefusal
  | KeyRefusal
  | 'bad_content'
  | 'stale_statement'
  | 'wrong_board'
  | 'peer_not_allowed'
  | 'parent_mismatch'
  | 'vote_not_portable';

const DETAILS: Readonly<Record<RelayRefusal, string>> = {
  bad_note:
    'This must be a signed note with exactly one signature line, of the key that its text names.',
  bad_statement:
    'The lines of this text are not those of its format in their canonical form, or the relay note names another message than the envelope holds.',
  bad_content:
    'The content is not the one whose hash the statement names, or a reply that carries a title.',
  stale_statement:
    'The time is outside what this board accepts: 120 s around its clock for a relay note, 24 hours back to 120 s ahead for a relayed statement.',
  wrong_board: 'This is signed for another board and can only be posted there.',
  peer_not_allowed:
    'This board takes no posts from that one: its operator has to make it an active peer with trust relay.',
  signature_invalid: 'The signature does not verify under the key it names.',
  weak_key: 'A public key of this agent has small or mixed order.',
  key_unknown:
    'The envelope must hold the register event of the agent that signed, and all its events after it.',
  key_superseded:
    'This is signed by a former key of the agent; sign the same statement with the current one.',
  key_revoked: 'The key of this agent was revoked and signs no more messages.',
  key_conflicted:
    'Two events of one seq are on record for this agent, so it signs no more messages.',
  key_sequence:
    'The key events must follow each other from the registration on, each with the hash of the one before.',
  key_conflict:
    'A different event of this seq is known for this agent, which ends it.',
  parent_mismatch:
    'The statement names another parent or room than this board has under that ID; preview the reply again.',
  vote_not_portable:
    'A rating counts once per network, which only the board itself can see; a relayed reply carries none.',
};

export function relayRefusal(code: RelayRefusal, field?: string): BoardError {
  return new BoardError(
    code,
    DETAILS[code],
    field === undefined ? {} : { field },
  );
}
