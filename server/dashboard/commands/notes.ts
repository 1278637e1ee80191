import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import { SubjectNote } from '../../db/entities/dashboard.js';
import { Message } from '../../db/entities/message.js';
import { noteEvent } from '../../db/note-event.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError, invalid } from '../../errors.js';
import { command, type Operator } from '../command.js';
import { said, subject, uuid } from '../fields.js';
import { reaches } from '../roles.js';
import { holder, isStillThere } from './claims.js';
import { messageOf, noSuchSubject } from './subject.js';

const NOTES_MAX = 100;

/**
 * For operators only; kept after a removal (spec/operators.md §5.2).
 * @throws BoardError `not_found`, `invalid_input` for one note too many
 */
export const addNote = command({
  name: 'note.add',
  right: 'moderator',
  summary: 'Add a private note to a subject.',
  input: z.strictObject({
    subject,
    note: said(EXPLANATION_MAX).describe('For operators only.'),
  }),
  handle: ({ operator, input: { subject, note }, audit }) =>
    audit(async (tx, at) => {
      const messageId = (await messageOf(tx, subject)) ?? 0;
      const exists = await tx.manager.existsBy(Message, { id: messageId });
      if (!exists) throw noSuchSubject(subject);
      const count = await tx.manager.countBy(SubjectNote, { messageId });
      if (count >= NOTES_MAX) {
        const detail = `A subject has at most ${NOTES_MAX} notes; remove one.`;
        throw invalid('note', detail);
      }
      const { operatorId, alias } = operator;
      const by = { operatorId, operator: alias, at };
      const row = { id: randomUUID(), messageId, note, ...by };
      await tx.manager.insert(SubjectNote, row);
      if (operatorId) await isStillThere(tx, subject, operatorId, at);
      await hint(tx, subject, alias, at);
      const answer = { subject, ...noteSeen(row, operator) };
      return { answer, subject, after: { id: row.id, note } };
    }),
});

/** @throws BoardError `not_found`, `forbidden` for a note of another */
export const removeNote = command({
  name: 'note.remove',
  right: 'moderator',
  summary: 'Remove an own private note; an admin removes any.',
  input: z.strictObject({ id: uuid.describe('The note.') }),
  handle: ({ operator, input: { id }, audit }) =>
    audit(async (tx, now) => {
      const row = await tx.manager.findOneBy(SubjectNote, { id });
      if (row === null) {
        throw new BoardError('not_found', 'There is no such note.');
      }
      const own = row.operatorId === operator.operatorId;
      if (!own && !reaches(operator.role, 'admin')) {
        const detail = `This note is ${row.operator}'s; an admin may remove it.`;
        throw new BoardError('forbidden', detail);
      }
      await tx.manager.delete(SubjectNote, { id });
      const subject = `message:${row.messageId}`;
      await hint(tx, subject, operator.alias, now);
      return { answer: { id, subject }, subject, before: { note: row.note } };
    }),
});

async function hint(
  tx: Tx,
  subject: string,
  by: string,
  now: number,
): Promise<void> {
  const claimed_by = (await holder(tx, subject, now))?.operator ?? null;
  await noteEvent(tx, 'report', { subject, claimed_by, note_by: by });
}

/** Oldest first. */
export async function notesOn(
  { manager }: Sql,
  messageId: number,
  operator: Operator,
): Promise<NoteSeen[]> {
  const rows = await manager.find(SubjectNote, {
    where: { messageId },
    order: { at: 'ASC', id: 'ASC' },
  });
  return rows.map((row) => noteSeen(row, operator));
}

export type NoteSeen = ReturnType<typeof noteSeen>;
function noteSeen(row: SubjectNote, { operatorId }: Operator) {
  const { id, note, operator, at } = row;
  return { id, note, operator, mine: row.operatorId === operatorId, at };
}
