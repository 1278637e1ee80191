import { LessThan, LessThanOrEqual } from 'typeorm';
import type { PeerAdmin } from '../../../mesh/mesh-ports.js';
import { DAY_MS, publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { SubjectClaim } from '../../db/entities/dashboard.js';
import { FigureSample } from '../../db/entities/stats.js';
import type { Sql } from '../../db/sql.js';
import { CLAIM_MS, endClaims } from '../../moderation/index.js';
import {
  type Alert,
  type AlertKind,
  clearAlert,
  endProxyAlert,
  freeDisk,
  isLow,
  isOverdue,
  raiseAlert,
  standingAlerts,
} from '../../operations/index.js';
import {
  keepSamples,
  type Sample,
  thinSamples,
} from '../commands/charts.sql.js';
import {
  unackedRemovals,
  type WatchedFacts,
  watchedFacts,
} from '../commands/figures.sql.js';
import { type Overview, readOverview } from '../commands/overview.js';
import { sequenceEvents } from '../live/broadcaster.js';

const MINUTE_MS = 60_000;
const HIDDEN_PER_HOUR = 10;
/** Of a limit: from here on it is an alert. */
const NEARLY = 0.8;
const CLOCK_MS = 120_000;
const CERTIFICATE_DAYS = 14;
/** Between samples older than a day. */
const COARSE_MS = 900_000;
const KEPT_MS = 30 * DAY_MS;

const OWN: readonly AlertKind[] = [
  'hidden_topics',
  'open_polls',
  'board_writes',
  'clock_behind',
  'job_failing',
  'backup_unverified',
  'removal_unacked',
  'log_guard',
  'disk_low',
  'certificate',
  'peer_unreachable',
  'peer_standstill',
];

/**
 * spec/operators.md §R3 T3 to T6: raises and ends alerts, and samples figures
 * for charts. Changes no limit.
 */
export async function watchBoard(
  ctx: Context,
  peers: PeerAdmin | null,
  certificate?: () => Promise<number | null>,
): Promise<{ alerts: number; samples: number }> {
  const now = ctx.clock.now();
  await sequenceEvents(ctx.writes, now); // also where no dashboard is open
  const claimedAt = LessThanOrEqual(now - CLAIM_MS);
  // A transaction ends cached answers.
  if (await ctx.writes.manager.existsBy(SubjectClaim, { claimedAt })) {
    await ctx.writes.transaction((tx) => endClaims(tx, { claimedAt }, now));
  }
  const facts = await watchedFacts(ctx.writes, now);
  const due = [
    ...alertsOf(facts, ctx.limits, now),
    ...(await unacknowledged(ctx.writes, now)),
    ...(await standingStill(peers)),
    ...(await ofThisNode(ctx, await certificate?.())),
  ];
  for (const alert of due) await raiseAlert(ctx.writes, alert, now);
  const raised = new Set(due.map(nameOf));
  for (const alert of await standingAlerts(ctx.writes)) {
    if (!OWN.includes(alert.kind) || raised.has(nameOf(alert))) continue;
    await clearAlert(ctx.writes, alert, now);
  }
  await endProxyAlert(ctx);
  return { alerts: due.length, samples: await sampleFigures(ctx, peers) };
}

async function unacknowledged(sql: Sql, now: number): Promise<Alert[]> {
  const rows = await unackedRemovals(sql, now - DAY_MS);
  return rows.map(({ name, removals, message_id: id, since }) => ({
    kind: 'removal_unacked',
    subject: name,
    detail: `${name} has not acknowledged ${removals === 1 ? 'a removal' : `${removals} removals`} (message ${id}, since ${publicTime(since)}) for more than 24 hours; ask its operators, or block it.`,
  }));
}

/** Copies that do not grow, and boards that do not answer. */
async function standingStill(peers: PeerAdmin | null): Promise<Alert[]> {
  const alerts: Alert[] = [];
  for (const peer of (await peers?.list()) ?? []) {
    const { name: subject, standstill: it, last_success_at: at } = peer;
    const raise = (kind: AlertKind, detail: string) =>
      alerts.push({ kind, subject, detail });
    if (it?.isAlert) raise('peer_standstill', `${it.detail}: ${it.next}.`);
    if (peer.status !== 'unreachable') continue;
    const since = at ?? 'it was confirmed';
    raise('peer_unreachable', `${subject} has not answered since ${since}.`);
  }
  return alerts;
}

async function ofThisNode(
  { guard, config, clock }: Context,
  certificateEnds: number | null = null,
): Promise<Alert[]> {
  const alerts: Alert[] = [];
  const raise = (kind: AlertKind, detail: string) =>
    alerts.push({ kind, subject: 'board', detail });
  const { closed } = guard;
  if (closed !== null) raise('log_guard', `Writes are closed: ${closed}.`);
  const disk = await freeDisk(config.dataDir);
  if (disk !== null && isLow(disk)) {
    const share = Math.round(disk.share * 100);
    raise('disk_low', `The disk of DATA_DIR has ${share} % left.`);
  }
  if (certificateEnds === null) return alerts;
  const days = Math.floor((certificateEnds - clock.now()) / DAY_MS);
  if (days < CERTIFICATE_DAYS) {
    const text = `The certificate of BASE_URL ends at ${publicTime(certificateEnds)}.`;
    raise('certificate', text);
  }
  return alerts;
}

function nameOf({ kind, subject }: Alert): string {
  return `${kind} ${subject}`;
}

function alertsOf(
  facts: WatchedFacts,
  limits: Context['limits'],
  now: number,
): Alert[] {
  const alerts: Alert[] = [];
  const raise = (kind: AlertKind, detail: string, subject = 'board') =>
    alerts.push({ kind, subject, detail });
  if (facts.hidden >= HIDDEN_PER_HOUR) {
    raise('hidden_topics', `Ratings hid ${facts.hidden} topics in an hour.`);
  }
  const polls = limits.open_polls_max;
  if (facts.polls >= polls * NEARLY) {
    raise('open_polls', `${facts.polls} of ${polls} polls are open.`);
  }
  const posts = limits.writes_per_board_minute;
  if (facts.posts >= posts * NEARLY) {
    const detail = `${facts.posts} of ${posts} writes came in a minute.`;
    raise('board_writes', detail);
  }
  if (facts.last_at > now + CLOCK_MS) {
    const seconds = Math.round((facts.last_at - now) / 1000);
    raise('clock_behind', `The clock is ${seconds} s behind the log.`);
  }
  for (const { name, failures, error } of facts.failing) {
    const why = `${name} failed ${failures} times: ${error ?? 'unknown'}.`;
    raise('job_failing', why, name);
  }
  if (isOverdue(facts.backup, facts.verified, now)) {
    raise(
      'backup_unverified',
      'No backup of the last 26 hours was verified by a trial restore.',
    );
  }
  return alerts;
}

/**
 * After a day one per quarter of an hour, deleted after 30 days.
 * @returns how many figures were stored
 */
async function sampleFigures(
  ctx: Context,
  peers: PeerAdmin | null,
): Promise<number> {
  const answers = ctx.config.roles.includes('api');
  const samples = samplesOf(await readOverview({ ...ctx, peers }), answers);
  const now = ctx.clock.now();
  await keepSamples(ctx.writes, now - (now % MINUTE_MS), samples);
  const dayAgo = now - DAY_MS;
  await thinSamples(ctx.writes, dayAgo - (dayAgo % COARSE_MS));
  const old = { at: LessThan(now - KEPT_MS) };
  await ctx.writes.manager.delete(FigureSample, old);
  return samples.length;
}

/** Readers wait only at processes that serve them. */
function samplesOf(it: Overview, answers: boolean): Sample[] {
  return [
    ...(answers ? [['readers', '', it.readers.waiting] as Sample] : []),
    ['sessions', '', it.readers.sessions_today],
    ['failed', '', it.errors_today.failed],
    ['refused', '', it.errors_today.refused],
    ['open_reports', '', it.reports.received + it.reports.in_review],
    ['hidden_topics', '', it.hidden_topics],
    ['open_polls', '', it.polls.open],
    ...it.peers.flatMap(({ name, lag_ms: ms }): Sample[] =>
      ms === null ? [] : [['lag', name, ms]],
    ),
  ];
}
