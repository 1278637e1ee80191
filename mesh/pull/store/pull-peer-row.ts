import type { Sql } from '../../../server/db/sql.js';
import type { PullSource } from '../hooks.js';
import type { Keeping } from '../verify/judged.js';

/** What a worker acts by. */
export type PullPeer = {
  origin_id: number;
  name: string;
  origin: string;
  base_url: string;
  status: string;
  trust: 'witness' | 'proofs' | 'mirror' | 'relay';
  content: 'signed' | 'all';
  kept: 'none' | 'signed' | 'all';
  probation_until: number | null;
  entries_day: number | null;
  content_bytes_day: number | null;
  backfill_bytes_hour: number | null;
  confirmed_at: number | null;
  last_success_at: number | null;
  rolled_back_since: number | null;
  failures: number;
  retry_at: number | null;
  last_error_code: string | null;
};

const COLUMNS = `origin_id, name, origin, base_url, status, trust, content, kept,
  probation_until, entries_day, content_bytes_day, backfill_bytes_hour,
  confirmed_at, last_success_at, rolled_back_since, failures, retry_at,
  last_error_code`;

export async function readPullPeer(
  sql: Sql,
  originId: number,
): Promise<PullPeer | null> {
  const [row] = await sql.query<PullPeer>(
    `SELECT ${COLUMNS} FROM peer WHERE origin_id = $1`,
    [originId],
  );
  return row ?? null;
}

/** The peers that have a worker. */
export async function readActivePeers(sql: Sql): Promise<PullPeer[]> {
  return await sql.query<PullPeer>(
    `SELECT ${COLUMNS} FROM peer WHERE status = 'active' ORDER BY origin_id`,
  );
}

/** Trust says what is asked for and whether it is kept (spec/mesh.md §B8). */
export function keepingOf({ trust, content }: PullPeer): Keeping {
  if (trust === 'witness') return { asked: 'none', keeps: false };
  return { asked: content, keeps: trust !== 'proofs' };
}

/** The log at its own board: `/log`, or `/log2` of a second generation. */
export function originSource({ base_url, name, origin }: PullPeer): PullSource {
  return { baseUrl: base_url, prefix: origin.slice(name.length) };
}
