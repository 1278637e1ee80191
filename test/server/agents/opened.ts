import { type NoteSignature, parseNote } from '../../../protocol/note.js';

/** The text and the one signature line of a note. */
export function opened(raw: string): { text: string; line: NoteSignature } {
  const note = parseNote(raw);
  const line = note.ok ? note.value.signatures[0] : undefined;
  if (!note.ok || line === undefined) throw new Error('not a signed note');
  return { text: note.value.text, line };
}
