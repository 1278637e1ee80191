import { RELEASE } from '../../http/release.js';
import { LIMIT_DEFAULTS, type LimitName } from '../../limits.js';
import { ALERTS, backupsOf, openAlerts } from '../../operations/index.js';
import type { Overview } from '../schemas/views.js';
import { type ActionContext, command } from './command.js';
import { overviewFigures, systemFacts } from './figures.sql.js';
import { recentResponse } from './response.js';

/** A board that somebody has to look at (spec/mesh.md §B8). */
const UNWELL = ['pending', 'lagging', 'unreachable', 'degraded', 'quarantined'];

export const overview = command('overview.read', {
  right: 'viewer',
  summary: 'The figures of this moment, and what to do first.',
  handle: (context) => readOverview(context),
});

export async function readOverview(context: ActionContext): Promise<Overview> {
  const { reads, clock, events, peers, telemetry } = context;
  await telemetry.flush();
  const now = clock.now();
  const [row, response, alerts, linked] = await Promise.all([
    overviewFigures(reads, now),
    recentResponse(reads, now),
    openAlerts(reads),
    peers?.list() ?? [],
  ]);
  const { sessions_today, ...figures } = row;
  const waiting = events.waiters('messages');
  const found = {
    at: now,
    ...figures,
    readers: { waiting, sessions_today },
    response,
    peers: await Promise.all(
      linked.map(async ({ name, status, lag_ms }) => {
        // Nothing is only here of a board that answers: no count is needed.
        const isLost = status === 'unreachable' || status === 'quarantined';
        const held = isLost ? await peers?.holdings(name) : null;
        return { name, status, lag_ms, only_here: held?.only_here ?? 0 };
      }),
    ),
    alerts: alerts.map(({ kind, subject, detail, raisedAt }) => ({
      ...{ name: kind, subject, detail, since: raisedAt },
      next: ALERTS[kind],
    })),
  };
  return { ...found, first: whatFirst(found) };
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

export const readSystem = command('system.read', {
  right: 'viewer',
  summary: 'Release, jobs, tables, limits, backups and log of this node.',
  handle: async ({ reads, board, limits, clock }) => {
    const { backup, verified, ...facts } = await systemFacts(reads);
    const names = Object.keys(LIMIT_DEFAULTS) as LimitName[];
    return {
      release: RELEASE,
      node: process.version,
      board,
      ...facts,
      limits: names.map((name) => ({
        name,
        value: limits[name],
        default: LIMIT_DEFAULTS[name],
      })),
      backups: backupsOf(backup, verified, clock.now()),
    };
  },
});
