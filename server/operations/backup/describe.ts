import { toBase64 } from '../../../protocol/bytes.js';
import { decodeFrontier, frontierRoot } from '../../../protocol/frontier.js';
import { migrations } from '../../db/migrations/index.js';
import type { Tx } from '../../db/sql.js';
import { RELEASE } from '../../http/release.js';
import { LEFT_OUT } from './left-out.js';
import { BackupFault, FORMAT, type Manifest } from './manifest.js';
import { mirrorOrigins } from './tables.js';

type Facts = {
  board: string;
  origin: string;
  log_vkey: string;
  size: number;
  frontier: Buffer;
  last_message_id: number;
  checkpoint: string;
  version: string;
  migrated: string[];
};

/** All of a manifest but its tables, as the snapshot sees it. */
export async function describe(tx: Tx, now: number): Promise<Manifest> {
  const [row] = await tx.query<Facts>(
    `SELECT s.board, s.origin, s.log_vkey, s.size, s.frontier,
       s.last_message_id, s.checkpoint,
       current_setting('server_version') AS version,
       (SELECT array_agg(m.name::text) FROM migrations m) AS migrated
     FROM log_state s WHERE s.origin_id = 0`,
  );
  if (row === undefined) {
    throw new BackupFault(
      'This board was never started, so there is nothing to back up; run "reserve-board start" first.',
    );
  }
  const root = frontierRoot(decodeFrontier(row.size, row.frontier));
  const names = migrations.map(({ name }) => name);
  return {
    format: FORMAT,
    release: RELEASE,
    made_at: now,
    board: row.board,
    log: {
      origin: row.origin,
      vkey: row.log_vkey,
      size: row.size,
      root: toBase64(root),
      last_message_id: row.last_message_id,
      checkpoint: row.checkpoint,
    },
    database: row.version,
    migrations: names.filter((name) => row.migrated.includes(name)),
    mirrors: await mirrorOrigins(tx),
    tables: [],
    left_out: [...LEFT_OUT],
  };
}

/** By the database's own statistics: exact enough for a bar. */
export async function rowsAbout(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint AS rows
     FROM pg_class c WHERE c.relkind = 'r'
       AND c.relnamespace = current_schema()::regnamespace`,
  );
  return row?.rows ?? 0;
}
