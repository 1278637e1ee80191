import { measuredLag } from '../../../mesh/mesh-ports.js';
import { pendingMigrations } from '../../db/migrate.js';
import { DatabaseProblem } from '../../db/problem.js';
import { seenReplicas } from '../../db/replicas/replicas.js';
import type { Sql } from '../../db/sql.js';
import { RELEASE, RELEASED_AT } from '../../http/release.js';
import { LIMIT_DEFAULTS, type LimitName } from '../../limits.js';
import {
  ALERTS,
  backupsOf,
  freeDisk,
  isSupportedNode,
  nodeWarning,
  openAlerts,
} from '../../operations/index.js';
import { type CommandContext, command } from '../command.js';
import { overviewFigures, systemFacts, watchedFacts } from './figures.sql.js';
import { queueTotals } from './queue.sql.js';
import { recentResponse } from './response.js';

/** Needs an operator (spec/mesh.md §B8). */
const UNWELL = ['lagging', 'unreachable', 'degraded', 'quarantined'];

export const overview = command({
  name: 'overview.read',
  reads: true,
  right: 'viewer',
  summary: 'The figures of this moment, and what to do first.',
  handle: ({ ctx }) => readOverview(ctx),
});

export type Overview = Awaited<ReturnType<typeof readOverview>>;
export async function readOverview(context: CommandContext) {
  const { reads, clock, config, events, peers, telemetry } = context;
  await telemetry.flush();
  const now = clock.now();
  const [row, response, alerts, linked, waits, { backup, verified }, schema] =
    await Promise.all([
      overviewFigures(reads, now),
      recentResponse(reads, now),
      openAlerts(reads),
      peers?.list() ?? [],
      queueTotals(reads, now),
      watchedFacts(reads, now),
      isSchemaOurs(reads),
    ]);
  const { sessions_today, ...figures } = row;
  const waiting = events.waiters('messages');
  const found = {
    at: now,
    ...figures,
    queue: waits.reduce((sum, { total }) => sum + total, 0),
    readers: { waiting, sessions_today },
    response,
    peers: await Promise.all(
      linked.map(async (peer) => {
        const { name, status, standstill } = peer;
        // A board that answers has its texts itself: nothing to count.
        const isLost = status === 'unreachable' || status === 'quarantined';
        const held = isLost ? await peers?.holdings(name) : null;
        const only_here = held?.only_here ?? 0;
        const why = standstill?.reason ?? null;
        const lag_ms = measuredLag(peer);
        return { name, status, lag_ms, standstill: why, only_here };
      }),
    ),
    alerts: alerts.map(({ kind, subject, detail, raisedAt }) => ({
      name: kind,
      subject,
      detail,
      since: raisedAt,
      next: ALERTS[kind],
    })),
  };
  const { hidden_to_review, polls } = figures;
  const unwell = linked.filter(({ status }) => UNWELL.includes(status));
  const unconfirmed = linked.filter(
    ({ status, pending_identity: waits }) =>
      status === 'pending' || waits !== null,
  );
  const backups = backupsOf(backup, verified, now);
  const unverified = backups === null || backups.overdue;
  const isOld =
    !isSupportedNode(process.versions.node) ||
    nodeWarning(process.versions.node, now) !== null;
  const noContact = config.boardContact === '';
  // Alerts, peers, people who wait, hidden topics, then care.
  const first = [
    { what: 'alerts', count: alerts.length, page: '' },
    { what: 'schema', count: Number(!schema), page: 'system' },
    { what: 'peers', count: unwell.length, page: 'mesh' },
    { what: 'reports', count: found.queue - polls.awaiting, page: 'queue' },
    { what: 'polls_awaiting', count: polls.awaiting, page: 'polls' },
    { what: 'hidden_topics', count: hidden_to_review, page: 'hidden' },
    { what: 'unconfirmed', count: unconfirmed.length, page: 'mesh' },
    { what: 'backups', count: Number(unverified), page: 'system' },
    { what: 'node', count: Number(isOld), page: 'system' },
    { what: 'contact', count: Number(noContact), page: 'system' },
  ];
  return { ...found, first: first.filter(({ count }) => count > 0) };
}

/** Exactly this release's migrations. */
async function isSchemaOurs(sql: Sql): Promise<boolean> {
  try {
    return (await pendingMigrations(sql)).length === 0;
  } catch (error) {
    if (error instanceof DatabaseProblem) return false;
    throw error;
  }
}

export const readSystem = command({
  name: 'system.read',
  reads: true,
  right: 'viewer',
  summary:
    'Release, jobs, tables, limits, backups, log and replicas of this node.',
  handle: async ({ ctx }) => {
    const { reads, board, limits, clock, replicas, config } = ctx;
    const { backup, verified, ...facts } = await systemFacts(reads);
    const names = Object.keys(LIMIT_DEFAULTS) as LimitName[];
    return {
      release: RELEASE,
      released_at: RELEASED_AT,
      node: process.version,
      node_warning: nodeWarning(process.versions.node, clock.now()),
      uptime_s: Math.floor(process.uptime()),
      memory_bytes: process.memoryUsage.rss(),
      disk_free: await freeDisk(config.dataDir),
      board,
      ...facts,
      limits: names.map((name) => ({
        name,
        value: limits[name],
        default: LIMIT_DEFAULTS[name],
      })),
      backups: backupsOf(backup, verified, clock.now()),
      replicas: await seenReplicas(replicas),
    };
  },
});
