import { In, IsNull, MoreThanOrEqual } from 'typeorm';
import { Message } from '../db/entities/message.js';
import type { Sql } from '../db/sql.js';

/** By root ID; without removed ones. */
export async function topicTitles(
  { manager }: Sql,
  rootIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (rootIds.length === 0) return new Map();
  const rows = await manager.find(Message, {
    select: { id: true, title: true },
    where: { id: In([...new Set(rootIds)]), removedAt: IsNull() },
  });
  return new Map(rows.map(({ id, title }) => [id, title ?? '']));
}

export async function firstMessageSince(
  { manager }: Sql,
  since: number,
): Promise<number | null> {
  const row = await manager.findOne(Message, {
    select: { id: true },
    where: { createdAt: MoreThanOrEqual(since) },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  return row?.id ?? null;
}
