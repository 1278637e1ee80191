import { subjectWords } from '../../../protocol/moderation.js';
import { Message } from '../../db/entities/message.js';
import { Poll } from '../../db/entities/poll.js';
import { Report } from '../../db/entities/report.js';
import { SelectionCard } from '../../db/entities/selection.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { mirroredSubject } from '../../moderation/index.js';

/** None of a mirrored subject; does not check that `message:…` exists. */
export async function messageOf(
  sql: Sql,
  subject: string,
): Promise<number | undefined> {
  const [kind, name = ''] = subject.split(':');
  const [id = 0, n = 0] = name.split('-').map(Number);
  if (kind === 'message') return id;
  if (kind === 'poll') return await rootOfPoll(sql, id);
  if (kind !== 'card') return undefined;
  const card = { selectionId: id, n };
  return (await sql.manager.findOneBy(SelectionCard, card))?.messageId;
}

/** @throws BoardError `not_found` */
export async function requireSubject(sql: Sql, subject: string): Promise<void> {
  const { manager } = sql;
  const mirrored = mirroredSubject(subject);
  const id = await messageOf(sql, subject);
  const exists =
    mirrored === null
      ? id !== undefined && (await manager.existsBy(Message, { id }))
      : await manager.existsBy(Report, mirrored);
  if (!exists) throw noSuchSubject(subject);
}

export async function rootOfPoll(
  { manager }: Sql,
  id: number,
): Promise<number | undefined> {
  const select = { id: true, rootId: true };
  return (await manager.findOne(Poll, { select, where: { id } }))?.rootId;
}

export function noSuchSubject(subject: string): BoardError {
  const detail = `There is no ${subjectWords(subject)} on this board.`;
  return new BoardError('not_found', detail);
}
