// By hand: counts the votes of a period before it joins their messages.
import { In, LessThan } from 'typeorm';
import { Message } from '../db/entities/message.js';
import { Selection, SelectionCard } from '../db/entities/selection.js';
import { lockNamed } from '../db/named-lock.sql.js';
import type { Sql, Tx } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';

/**
 * SQL giving `id` and `likes` of messages voted up in a period, best first
 * (spec/board.md §2.22), by the time of the vote; without removed or hidden
 * ones. $1 inclusive start, $2 exclusive end, in ms; $3 limit.
 */
export const TOP_OF_PERIOD = `
  SELECT m.id, t.likes
  FROM (SELECT message_id, count(*) AS likes FROM vote
      WHERE value = 1 AND at >= $1 AND at < $2 GROUP BY message_id) t
    JOIN message m ON m.id = t.message_id AND m.removed_at IS NULL
    JOIN message r ON r.id = m.root_id AND r.removed_at IS NULL
      AND NOT ${oneOf('r.visibility', HIDDEN)}
  ORDER BY t.likes DESC, m.created_at DESC, m.id DESC LIMIT $3`;

export async function topOfPeriod(
  sql: Sql,
  { start, end, max }: { start: number; end: number; max: number },
): Promise<{ id: number; likes: number }[]> {
  return await sql.query(TOP_OF_PERIOD, [start, end, max]);
}

export async function lockSelections(tx: Tx): Promise<void> {
  await lockNamed(tx, 'selection');
}

/** The original as it is now; text is null once removed. */
export type CardRow = {
  id: number;
  day: string;
  n: number;
  message_id: number;
  root_id: number;
  author: string | null;
  title: string | null;
  excerpt: string | null;
  created_at: number;
  removed: boolean;
  /** In a removed or hidden topic. */
  excluded: boolean;
};

const EXCERPT = 160;

const cards = ({ manager }: Sql) =>
  manager
    .createQueryBuilder(SelectionCard, 'c')
    .innerJoin('c.selection', 's')
    .innerJoin(Message, 'm', 'm.id = c.messageId')
    .innerJoin(Message, 'r', 'r.id = m.rootId')
    .select(['s.id AS id', 's.day AS day', 'c.n AS n'])
    .addSelect(['c.messageId AS message_id', 'm.rootId AS root_id'])
    .addSelect(['m.author AS author', 'r.title AS title'])
    .addSelect(`left(m.body, ${EXCERPT})`, 'excerpt')
    .addSelect('m.createdAt', 'created_at')
    .addSelect('m.removedAt IS NOT NULL', 'removed')
    .addSelect(
      `(r.removedAt IS NOT NULL OR ${oneOf('r.visibility', HIDDEN)})`,
      'excluded',
    )
    .orderBy('s.id', 'DESC')
    .addOrderBy('c.n');

/** Newest selection first. */
export async function selectionPage(
  sql: Sql,
  before: number | null,
  limit: number,
): Promise<CardRow[]> {
  const page = await sql.manager.find(Selection, {
    select: { id: true },
    where: before === null ? {} : { id: LessThan(before) },
    order: { id: 'DESC' },
    take: limit,
  });
  const ids = page.map(({ id }) => id);
  return await cards(sql)
    .where({ selectionId: In(ids) })
    .getRawMany<CardRow>();
}

export async function selectionCards(sql: Sql, id: number): Promise<CardRow[]> {
  return await cards(sql).where({ selectionId: id }).getRawMany<CardRow>();
}
