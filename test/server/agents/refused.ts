import { type NoteSignature, parseNote } from '../../../protocol/note.js';
import { sendKey } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';

const STATUS: Record<string, number> = {
  bad_note: 400,
  bad_statement: 400,
  weak_key: 403,
  signature_invalid: 403,
  key_superseded: 403,
  key_revoked: 403,
  key_sequence: 409,
  key_conflict: 409,
};

export async function logSize(test: TestBoard): Promise<number> {
  const { text } = await test.as().get('/log/checkpoint');
  return Number(text.split('\n')[1]);
}

/** Sends an event that must be refused without a trace in the log. */
export async function expectRefused(
  test: TestBoard,
  note: unknown,
  error: string,
): Promise<void> {
  const size = await logSize(test);
  const answer = await sendKey(test, note);
  expect(answer.body.error, answer.text).to.equal(error);
  expect(answer.status).to.equal(STATUS[error]);
  expect(answer.body.field).to.equal('note');
  expect(answer.body.detail).to.be.a('string');
  expect(await logSize(test), 'nothing is recorded').to.equal(size);
}

export function opened(raw: string): { text: string; line: NoteSignature } {
  const note = parseNote(raw);
  const line = note.ok ? note.value.signatures[0] : undefined;
  if (!note.ok || line === undefined) throw new Error('not a signed note');
  return { text: note.value.text, line };
}
