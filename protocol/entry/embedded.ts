import { type AgentNote, parseAgentNote } from '../agent-note.js';
import { utf8 } from '../bytes.js';
import { type Checkpoint, parseCheckpoint } from '../checkpoint.js';
import { type Identity, identityKeys, parseIdentity } from '../identity.js';
import { type KeyEvent, parseKeyEvent } from '../key-event.js';
import {
  formatNote,
  isLineOf,
  type Note,
  type NoteSignature,
  parseNote,
} from '../note.js';
import { parseStatement, type Statement } from '../statement.js';
import { accepted, refused, type Verdict } from '../verdict.js';

/**
 * Exactly the signature lines of spec/mesh.md §B4: others would put free text
 * into entries that cannot be erased. Not verified here.
 */
export type EmbeddedRefusal = 'bad_note' | 'bad_statement';

/** `bytes` of the text are signed. `line` null: a guest's bare statement. */
export type EmbeddedPost = {
  statement: Statement;
  text: string;
  bytes: Uint8Array;
  line: NoteSignature | null;
};

export function readPost(
  embedded: string,
): Verdict<EmbeddedPost, EmbeddedRefusal> {
  if (!embedded.includes('\n\n')) {
    const bare = parseStatement(embedded);
    if (!bare.ok) return bare;
    if (bare.value.agent !== null) return refused('bad_note');
    const text = embedded;
    const bytes = utf8(text);
    return accepted({ statement: bare.value, text, bytes, line: null });
  }
  const note = parseAgentNote(embedded);
  if (!note.ok) return note;
  const { text, agent, line } = note.value;
  const statement = parseStatement(text);
  if (!statement.ok) return statement;
  if (statement.value.agent !== agent) return refused('bad_note');
  const bytes = utf8(text);
  return accepted({ statement: statement.value, text, bytes, line });
}

export function readKeyNote(
  raw: string,
): Verdict<AgentNote & { event: KeyEvent }, EmbeddedRefusal> {
  const note = parseAgentNote(raw);
  if (!note.ok) return note;
  const event = parseKeyEvent(note.value.text);
  if (!event.ok) return event;
  if (event.value.agent !== note.value.agent) return refused('bad_note');
  return accepted({ ...note.value, event: event.value });
}

/** Two lines: its log key, then its node key. */
export function readIdentityNote(
  raw: string,
): Verdict<Identity, EmbeddedRefusal> {
  const note = parseNote(raw);
  if (!note.ok) return note;
  const identity = parseIdentity(note.value.text);
  if (!identity.ok) return identity;
  const [log, node, ...others] = note.value.signatures;
  const keys = identityKeys(identity.value);
  const exact =
    log !== undefined &&
    node !== undefined &&
    keys !== null &&
    others.length === 0 &&
    isLineOf(log, keys.log) &&
    isLineOf(node, keys.node) &&
    log.signature.length === 64 &&
    node.signature.length === 64;
  return exact ? accepted(identity.value) : refused('bad_note');
}

export type Anchor = Checkpoint & { text: string; cosigner: string };

/** Two lines: the peer's log, then `cosigner`'s mirror. */
export function readAnchor(raw: string): Verdict<Anchor, EmbeddedRefusal> {
  const note = parseNote(raw);
  if (!note.ok) return note;
  const { text, signatures } = note.value;
  const checkpoint = parseCheckpoint(text);
  if (!checkpoint.ok) return refused('bad_statement');
  const [log, mirror, ...others] = signatures;
  const exact =
    log?.name === checkpoint.value.origin &&
    log.signature.length === 64 &&
    mirror?.name.endsWith('/mirror') === true &&
    mirror.signature.length === 72 &&
    others.length === 0;
  if (!exact) return refused('bad_note');
  return accepted({ ...checkpoint.value, text, cosigner: mirror.name });
}

/** Only lines in `keep`, in that order. */
export function cutNote(note: Note, keep: NoteSignature[]): string {
  return formatNote({ text: note.text, signatures: keep });
}
