import type { Context } from '../context.js';
import { Ticket } from '../db/entities/ticket.js';
import type { Sql } from '../db/sql.js';

/** spec/board.md §4.8 */
export const DRAFTS_MAX_BYTES = 1_000_000_000;

const LOOK_EVERY_MS = 5000;

/** By the table's files, which are never smaller; above `enough` by rows. */
export async function draftBytes(
  { manager }: Sql,
  enough: number,
): Promise<number> {
  const files = await manager
    .createQueryBuilder()
    .select("pg_table_size('ticket')", 'bytes')
    .fromDummy()
    .getRawOne<{ bytes: number }>();
  if (files !== undefined && files.bytes <= enough) return files.bytes;
  const rows = await manager
    .createQueryBuilder(Ticket, 't')
    .select('coalesce(sum(pg_column_size(t.draft)), 0)::bigint', 'bytes')
    .getRawOne<{ bytes: number }>();
  return rows?.bytes ?? 0;
}

type Look = { at: number; maxBytes: number; full: Promise<boolean> };
const looks = new WeakMap<object, Look>();

/** 503 where no draft can make room (spec/board.md §4.8); cached for 5 s. */
export function draftsFull(
  { writes }: Pick<Context, 'writes'>,
  maxBytes: number = DRAFTS_MAX_BYTES,
): Promise<boolean> {
  const now = performance.now();
  const known = looks.get(writes);
  if (known?.maxBytes === maxBytes && now - known.at < LOOK_EVERY_MS) {
    return known.full;
  }
  const full = draftBytes(writes, maxBytes).then((bytes) => bytes > maxBytes);
  looks.set(writes, { at: now, maxBytes, full });
  return full;
}
