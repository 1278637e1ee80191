import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import type { Sql } from '../../server/db/sql.js';

/** A peer's log as it is pinned here. */
export type KnownLog = {
  originId: number;
  name: string;
  origin: string;
  vkey: Vkey;
  logVkey: string;
  baseUrl: string;
  /** `/log`, or `/log<n>` of a later generation. */
  prefix: string;
};

type Row = {
  origin_id: number;
  name: string;
  origin: string;
  log_vkey: string;
  base_url: string;
};

/** The logs of active peers, by origin. */
export async function activeLogs(sql: Sql): Promise<Map<string, KnownLog>> {
  const rows = await sql.query<Row>(
    `SELECT origin_id, name, origin, log_vkey, base_url FROM peer
     WHERE status = 'active' ORDER BY origin_id`,
  );
  const logs = rows.flatMap((row): [string, KnownLog][] => {
    const vkey = parseVkey(row.log_vkey);
    if (!vkey.ok) return [];
    const { name, origin } = row;
    const log: KnownLog = {
      originId: row.origin_id,
      name,
      origin,
      vkey: vkey.value,
      logVkey: row.log_vkey,
      baseUrl: row.base_url,
      prefix: origin.slice(name.length),
    };
    return [[origin, log]];
  });
  return new Map(logs);
}
