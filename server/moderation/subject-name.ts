import type { Report } from '../db/entities/report.js';

type Reported = Pick<Report, 'messageId' | 'cardId' | 'board' | 'mirroredId'>;

/** As operators name what is reported (spec/operators.md §2.4). */
export function subjectName(report: Reported): string {
  const { messageId, cardId, board, mirroredId } = report;
  if (messageId !== null) return `message:${messageId}`;
  return board === null ? `card:${cardId}` : `mirrored:${mirroredId}@${board}`;
}

/** SQL: the same of `report p`. */
export const SUBJECT_NAME = `coalesce('message:' || p.message_id,
  'card:' || p.card_id, 'mirrored:' || p.mirrored_id || '@' || p.board)`;

/** Null for other subjects. */
export function mirroredSubject(
  subject: string,
): { board: string; mirroredId: number } | null {
  const [, id, board = ''] = /^mirrored:(\d+)@(.+)$/.exec(subject) ?? [];
  return id === undefined ? null : { board, mirroredId: Number(id) };
}

type Names = { [Name in keyof Reported]?: NonNullable<Reported[Name]> };

/** A poll has none. */
export function reportsOn(subject: string): Names {
  const mirrored = mirroredSubject(subject);
  if (mirrored !== null) return mirrored;
  const [kind, name = ''] = subject.split(':');
  if (kind === 'card') return { cardId: name };
  return { messageId: kind === 'message' ? Number(name) : 0 };
}
