import type { PeerDesk } from '../../../mesh/mesh-ports.js';
import { DAY_MS, publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import type { Sql } from '../../db/sql.js';
import {
  type Alarm,
  type AlarmKind,
  clearAlarm,
  openAlarms,
  raiseAlarm,
} from '../../operations/alerts.js';
import {
  type BackupNote,
  backupNote,
  isOverdue,
} from '../../operations/backup/backup-notes.js';
import { endProxyAlarm } from '../../operations/proxy-alert.js';
import { numberEvents } from '../live/sequence-events.js';
import { sampleFigures } from './sample-figures.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HIDDEN_PER_HOUR = 10;
/** The share of a limit from which on somebody should look. */
const NEARLY = 0.8;
const CLOCK_MS = 120_000;
const FAILURES = 3;

/** The alarms that this look raises and ends; others are not its own. */
const OWN: readonly AlarmKind[] = [
  'hidden_topics',
  'open_polls',
  'board_writes',
  'clock_behind',
  'job_failing',
  'backup_unverified',
  'removal_unacked',
];

type Row = {
  hidden: number;
  polls: number;
  posts: number;
  last_at: number;
  failing: { name: string; failures: number; error: string | null }[];
  backup: BackupNote | null;
  verified: BackupNote | null;
};

// $1 the clock, $2 an hour ago, $3 a minute ago.
const FACTS = `SELECT
  (SELECT count(DISTINCT payload ->> 'message_id') FROM admin_event
    WHERE at > $2 AND kind = 'hidden'
      AND payload ->> 'visibility' = 'hidden_by_ratings') AS hidden,
  (SELECT count(*) FROM poll WHERE closed_at IS NULL AND closes_at > $1)
    AS polls,
  (SELECT count(*) FROM message WHERE created_at > $3 AND created_at <= $1)
    AS posts,
  (SELECT last_at FROM log_state WHERE origin_id = 0) AS last_at,
  (SELECT coalesce(json_agg(json_build_object('name', name,
      'failures', failures, 'error', error)), '[]')
    FROM job_run WHERE failures >= ${FAILURES}) AS failing,
  ${backupNote('backup')} AS backup,
  ${backupNote('verify_backup')} AS verified`;

/**
 * Peers that keep our log and have not cosigned a removal that is a day old:
 * they may still show the text (spec/mesh.md §B9). One that was reinstated
 * since is nobody's to erase. $1 a day ago.
 */
const UNACKED = `SELECT p.name, count(*) AS removals,
    min(d.message_id) AS message_id, min(d.decided_at) AS since
  FROM peer p JOIN decision d ON d.log_index >= p.acked_size
      AND d.generation = (SELECT generation FROM log_state WHERE origin_id = 0)
    JOIN message m ON m.id = d.message_id
  WHERE p.status IN ('active', 'paused', 'quarantined') AND p.acked_size > 0
    AND d.effect = 'removed' AND d.decided_at <= $1
    AND m.removed_at IS NOT NULL
  GROUP BY p.name ORDER BY p.name LIMIT 100`;

type Unacked = {
  name: string;
  removals: number;
  message_id: number;
  since: number;
};

/**
 * One look at what is unusual (spec/operators.md §R3 T3 to T6): raises alarms
 * to operators and ends those whose cause is gone. No limit is changed by it.
 * The figures of the moment are kept for the charts.
 */
export async function watchBoard(
  ctx: Context,
  peers: PeerDesk | null,
): Promise<{ alarms: number; samples: number }> {
  const now = ctx.clock.now();
  await numberEvents(ctx.writes, now); // where nobody watches, too
  const times = [now, now - HOUR_MS, now - MINUTE_MS];
  const [row] = await ctx.writes.query<Row>(FACTS, times);
  if (row === undefined) throw new Error('a one-row statement gave none');
  const due = [
    ...found(row, ctx.limits, now),
    ...(await unacknowledged(ctx.writes, now)),
  ];
  for (const alarm of due) await raiseAlarm(ctx.writes, alarm, now);
  const stands = new Set(due.map(nameOf));
  for (const alarm of await openAlarms(ctx.writes)) {
    if (!OWN.includes(alarm.kind) || stands.has(nameOf(alarm))) continue;
    await clearAlarm(ctx.writes, alarm, now);
  }
  await endProxyAlarm(ctx);
  return { alarms: due.length, samples: await sampleFigures(ctx, peers) };
}

async function unacknowledged(sql: Sql, now: number): Promise<Alarm[]> {
  const rows = await sql.query<Unacked>(UNACKED, [now - DAY_MS]);
  return rows.map(({ name, removals, message_id: id, since }) => ({
    kind: 'removal_unacked',
    subject: name,
    detail: `${name} has not acknowledged ${removals === 1 ? 'a removal' : `${removals} removals`} (message ${id}, since ${publicTime(since)}) for more than 24 hours; ask its operators, or block it.`,
  }));
}

function nameOf({ kind, subject }: Alarm): string {
  return `${kind} ${subject}`;
}

function found(row: Row, limits: Context['limits'], now: number): Alarm[] {
  const alarms: Alarm[] = [];
  const raise = (kind: AlarmKind, detail: string, subject = 'board') =>
    alarms.push({ kind, subject, detail });
  if (row.hidden >= HIDDEN_PER_HOUR) {
    raise('hidden_topics', `Ratings hid ${row.hidden} topics in an hour.`);
  }
  const polls = limits.open_polls_max;
  if (row.polls >= polls * NEARLY) {
    raise('open_polls', `${row.polls} of ${polls} polls are open.`);
  }
  const posts = limits.writes_per_board_minute;
  if (row.posts >= posts * NEARLY) {
    raise('board_writes', `${row.posts} of ${posts} writes came in a minute.`);
  }
  if (row.last_at > now + CLOCK_MS) {
    const seconds = Math.round((row.last_at - now) / 1000);
    raise('clock_behind', `The clock is ${seconds} s behind the log.`);
  }
  for (const { name, failures, error } of row.failing) {
    const why = `${name} failed ${failures} times: ${error ?? 'unknown'}.`;
    raise('job_failing', why, name);
  }
  if (isOverdue(row.backup, row.verified, now)) {
    raise(
      'backup_unverified',
      'No backup of the last 26 hours was verified by a restore on trial.',
    );
  }
  return alarms;
}
