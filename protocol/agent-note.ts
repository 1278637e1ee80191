import { isAgentId } from './agent-id.js';
import { type NoteSignature, parseNote } from './note.js';
import { accepted, refused, type Verdict } from './verdict.js';

/** Exactly one signature line, an agent's, of 64 bytes. */
export type AgentNote = { text: string; agent: string; line: NoteSignature };

const SIGNATURE_BYTES = 64;

/**
 * Key events and signed posts MUST have this form: a stranger's line could
 * carry free text (spec/mesh.md §B4). Nothing is verified.
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
