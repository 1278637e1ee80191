import { Poll } from '../../db/entities/poll.js';
import { SelectionCard } from '../../db/entities/selection.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';

/** Does not check that `message:…` exists. */
export async function messageOf(
  sql: Sql,
  subject: string,
): Promise<number | undefined> {
  const [kind, name = ''] = subject.split(':');
  const [id = 0, n = 0] = name.split('-').map(Number);
  if (kind === 'message') return id;
  if (kind === 'poll') return await rootOfPoll(sql, id);
  const card = { selectionId: id, n };
  return (await sql.manager.findOneBy(SelectionCard, card))?.messageId;
}

export async function rootOfPoll(
  { manager }: Sql,
  id: number,
): Promise<number | undefined> {
  const select = { id: true, rootId: true };
  return (await manager.findOne(Poll, { select, where: { id } }))?.rootId;
}

export function noSuchSubject(subject: string): BoardError {
  const detail = `There is no ${subject} on this board.`;
  return new BoardError('not_found', detail);
}

/** A poll has none. */
export function reportsOn(subject: string): {
  messageId?: number;
  cardId?: string;
} {
  const [kind, name = ''] = subject.split(':');
  if (kind === 'card') return { cardId: name };
  return { messageId: kind === 'message' ? Number(name) : 0 };
}
