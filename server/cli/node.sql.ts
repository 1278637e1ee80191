// By hand: PostgreSQL's own state, and facts of one moment.
import { LogEntry } from '../db/entities/log.js';
import { Message } from '../db/entities/message.js';
import type { Sql } from '../db/sql.js';
import type { StoredContent } from '../db/stored-content.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import { pollContentOfRoot } from '../polls/polls.sql.js';
import { CommandFailure } from './failure.js';

export async function isNodeRunning(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ running: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity
       WHERE datname = current_database()
         AND application_name = 'reserve-board listener') AS running`,
  );
  return row?.running === true;
}

/**
 * For changes of keys or log, which a running node would miss. Under
 * `lockGenesis` it stays true until the commit.
 * @throws CommandFailure
 */
export async function assertNoNode(sql: Sql): Promise<void> {
  if (!(await isNodeRunning(sql))) return;
  throw new CommandFailure(
    'A node runs on this database and signs with the present keys; stop it, run this again, and start it.',
  );
}

/** Of any release. */
export async function hasTables(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ there: boolean }>(
    `SELECT to_regclass('log_state') IS NOT NULL
       AND to_regclass('job_run') IS NOT NULL AS there`,
  );
  return row?.there === true;
}

export type ExportedEntry = StoredContent & { leaf: Buffer };

export async function exportedEntries(
  sql: Sql,
  from: number,
  until: number,
): Promise<ExportedEntry[]> {
  return await sql.manager
    .createQueryBuilder(LogEntry, 'e')
    .leftJoin(Message, 'm', "m.id = e.messageId AND e.type = 'post'")
    .select(['e.leaf AS leaf', 'm.salt AS salt', 'm.author AS author'])
    .addSelect(['m.title AS title', 'm.body AS body'])
    .addSelect(pollContentOfRoot('m'), 'poll')
    .where({ originId: OWN_LOG })
    .andWhere('e.idx >= :from AND e.idx < :until', { from, until })
    .orderBy('e.idx')
    .getRawMany<ExportedEntry>();
}
