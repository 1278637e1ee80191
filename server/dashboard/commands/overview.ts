import type { PeerDesk } from '../../../mesh/mesh-ports.js';
import { utcDay } from '../../clock.js';
import { openAlarms } from '../../operations/alerts.js';
import type { Overview } from '../schemas/views.js';
import type { Desk } from './action-context.js';
import { AWAITING } from './queue.js';

const HOUR_MS = 3_600_000;
const LATEST = 8;
/** A board that somebody has to look at (spec/mesh.md §B8). */
const UNWELL = ['pending', 'lagging', 'unreachable', 'degraded', 'quarantined'];

type Row = {
  posts: Overview['posts'];
  latest: Overview['latest'];
  votes: Overview['votes'];
  reports: Overview['reports'];
  hidden_topics: number;
  polls: Overview['polls'];
  sessions_today: number;
  errors_today: number;
};

// $1 the clock, $2 an hour ago, $3 a day ago, $4 the UTC day.
const FIGURES = `SELECT
  (SELECT json_build_object('day', count(*),
      'hour', count(*) FILTER (WHERE created_at > $2))
    FROM message WHERE created_at > $3 AND created_at <= $1) AS posts,
  (SELECT coalesce(json_agg(json_build_object('id', m.id, 'root', m.root_id,
      'room', m.room, 'at', m.created_at) ORDER BY m.id DESC), '[]')
    FROM (SELECT id, root_id, room, created_at FROM message
      ORDER BY id DESC LIMIT ${LATEST}) m) AS latest,
  (SELECT json_build_object('day', count(*),
      'hour', count(*) FILTER (WHERE at > $2))
    FROM (SELECT at FROM vote WHERE value = 1 AND at > $3
      UNION ALL SELECT at FROM vote WHERE value = -1 AND at > $3) v
    WHERE at <= $1) AS votes,
  (SELECT json_build_object('oldest_at', min(created_at),
      'received', count(*) FILTER (WHERE status = 'received'),
      'in_review', count(*) FILTER (WHERE status = 'in_review'))
    FROM report WHERE status IN ('received', 'in_review')) AS reports,
  (SELECT count(*) FROM message WHERE reply_to IS NULL
    AND removed_at IS NULL
    AND visibility IN ('hidden_by_ratings', 'hidden_by_decision'))
    AS hidden_topics,
  (SELECT json_build_object('open', count(*) FILTER (WHERE poll.closed_at
        IS NULL AND poll.closes_at > $1 AND topic.removed_at IS NULL),
      'awaiting', count(*) FILTER (WHERE ${AWAITING}))
    FROM poll JOIN message topic ON topic.id = poll.root_id) AS polls,
  (SELECT count(*) FROM session_day WHERE day = $4) AS sessions_today,
  (SELECT coalesce(sum(total), 0)::bigint FROM request_error_day
    WHERE day = $4) AS errors_today`;

/** The figures of this moment, and what to do first. */
export async function readOverview(
  desk: Desk,
  peers: PeerDesk | null,
): Promise<Overview> {
  await desk.telemetry.flush();
  const now = desk.clock.now();
  const times = [now, now - HOUR_MS, now - 24 * HOUR_MS, utcDay(now)];
  const [[row], alarms, linked] = await Promise.all([
    desk.reads.query<Row>(FIGURES, times),
    openAlarms(desk.reads),
    peers?.list() ?? [],
  ]);
  if (row === undefined) throw new Error('a one-row statement gave none');
  const { sessions_today, ...figures } = row;
  const waiting = desk.events.waiters('messages');
  const overview = {
    at: now,
    ...figures,
    readers: { waiting, sessions_today },
    peers: linked.map(({ name, status, lag_ms }) => ({ name, status, lag_ms })),
    alerts: alarms.map(({ kind, subject, detail, raised_at }) => ({
      name: kind,
      subject,
      detail,
      since: raised_at,
    })),
  };
  return { ...overview, first: whatFirst(overview) };
}

/** Alerts, peers, then what people wait for, then what ratings have hidden. */
function whatFirst(it: Omit<Overview, 'first'>): Overview['first'] {
  const { alerts, peers, reports, polls, hidden_topics: hidden } = it;
  const waiting = reports.received + reports.in_review;
  const unwell = peers.filter(({ status }) => UNWELL.includes(status)).length;
  const steps = [
    { what: 'alerts', count: alerts.length, page: 'system' },
    { what: 'peers', count: unwell, page: 'mesh' },
    { what: 'reports', count: waiting, page: 'queue' },
    { what: 'polls_awaiting', count: polls.awaiting, page: 'polls' },
    { what: 'hidden_topics', count: hidden, page: 'hidden' },
  ];
  return steps.filter(({ count }) => count > 0);
}
