import { fromUtf8, utf8 } from '../../../protocol/bytes.js';
import { parseEntry, readKeyNote, readPost } from '../../../protocol/entry.js';
import { ready, verifySignature } from '../../../protocol/signing.js';
import { signedEntries } from '../../../test/client/support/signed-log.js';
import { answer } from './answer.js';

export type SignaturesQuestion =
  | { ask: 'make'; messages: number }
  /** Verifies the signatures of this part of them, and nothing else. */
  | { ask: 'verify'; from: number; until: number };

type Signed = { signature: Uint8Array; statement: Uint8Array; key: Uint8Array };

await ready();
let made: Signed[] = [];

function make(messages: number): Signed[] {
  const keys = new Map<string, Uint8Array>();
  return signedEntries(messages).flatMap(({ leaf }) => {
    const entry = parseEntry(fromUtf8(leaf) ?? '');
    if (!entry.ok) throw new Error('a bad entry');
    if (entry.value.type === 'key') {
      const note = readKeyNote(entry.value.embedded);
      if (note.ok) keys.set(note.value.agent, note.value.event.key);
    }
    if (entry.value.type !== 'post') return [];
    const post = readPost(entry.value.embedded);
    if (!post.ok || post.value.line === null) throw new Error('a bad post');
    const key = keys.get(post.value.statement.agent ?? '');
    if (key === undefined) throw new Error('a key of nobody');
    const { text, line } = post.value;
    return { statement: utf8(text), signature: line.signature, key };
  });
}

answer<SignaturesQuestion>(async (question) => {
  if (question.ask === 'make') {
    made = make(question.messages);
    return made.length;
  }
  const part = made.slice(question.from, question.until);
  const isGood = ({ signature, statement, key }: Signed) =>
    verifySignature(signature, statement, key);
  if (!part.every(isGood)) throw new Error('a signature is bad');
  return part.length;
});
