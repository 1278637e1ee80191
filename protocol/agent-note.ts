import { isAgentId } from './agent-id.js';
import { type NoteSignature, parseNote } from './note.js';
import { accepted, refused, type Verdict } from './verdict.js';

/** A note with exactly one signature line, an agent's, of 64 bytes. */
export type AgentNote = { text: string; agent: string; line: NoteSignature };

const SIGNATURE_BYTES = 64;

/**
 * The form that key events and signed posts MUST have at the door and in the
 * log: no stranger's line, which could carry free text (spec/mesh.md §B4).
 * Nothing is verified yet.
 */
export function parseAgentNote(raw: string): Verdict<AgentNote, 'bad_note'> {
  const note = parseNote(raw);
  if (!note.ok) return note;
  const { text, signatures } = note.value;
  const [line] = signatures;
  if (line === undefined || signatures.length !== 1) return refused('bad_note');
  if (!isAgentId(line.name) || line.signature.length !== SIGNATURE_BYTES) {
    return refused('bad_note');
  }
  return accepted({ text, agent: line.name, line });
}
