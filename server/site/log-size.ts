import type { Context } from '../context.js';

/** Entries of the board's own log. */
export async function ownLogSize({
  reads,
}: Pick<Context, 'reads'>): Promise<number> {
  const [row] = await reads.query<{ size: number }>(
    'SELECT size FROM log_state WHERE origin_id = 0',
  );
  return row?.size ?? 0;
}
