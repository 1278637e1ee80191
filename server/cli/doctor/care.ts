import { In } from 'typeorm';
import type { Config } from '../../config.js';
import { systemFacts } from '../../dashboard/commands/figures.sql.js';
import { Operator } from '../../db/entities/operator.js';
import { Report } from '../../db/entities/report.js';
import type { Database } from '../../db/sql.js';
import { backupsOf, openAlerts } from '../../operations/index.js';
import { timeOf } from './age.js';
import { type Check, ok, warn } from './check.js';

const DAY_MS = 86_400_000;
/** Every job runs within an hour. */
const JOBS_MS = 2 * 3_600_000;
const REPORT_MS = 3 * DAY_MS;
const FAILING = 3;

export async function care(
  db: Database,
  config: Config,
  isRunning: boolean,
): Promise<Check[]> {
  const now = Date.now();
  const facts = await systemFacts(db);
  return [
    contact(config),
    await operators(db),
    backups(backupsOf(facts.backup, facts.verified, now), now),
    ...(isRunning ? [jobs(facts.jobs, now)] : []),
    await reports(db, now),
    ...(await alerts(db, now)),
  ];
}

function contact({ boardContact }: Config): Check {
  const name = 'contact';
  if (boardContact !== '') return ok(name, boardContact);
  return warn(
    name,
    'readers find no way to reach the operators',
    'set BOARD_CONTACT to an e-mail address or an https: page',
  );
}

async function operators({ manager }: Database): Promise<Check> {
  const name = 'operators';
  const count = await manager.countBy(Operator, { state: 'active' });
  if (count > 0) return ok(name, `${count} active`);
  return warn(
    name,
    'nobody can sign in to the dashboard',
    'run "reserve-board operator invite <name> --role admin" and open its link',
  );
}

function backups(seen: ReturnType<typeof backupsOf>, now: number): Check {
  const name = 'backups';
  const fix =
    'run "reserve-board backup <folder>" and "reserve-board verify-backup <folder>", best by a nightly job';
  if (seen === null) return warn(name, 'none is known', fix);
  const { at, verified_at: verified, overdue } = seen;
  const made = `the newest is ${timeOf(now - at)} old`;
  const detail =
    verified === null
      ? `${made}, and none was verified`
      : `${made}, the last was verified ${timeOf(now - verified)} ago`;
  return overdue || verified === null
    ? warn(name, detail, fix)
    : ok(name, detail);
}

type Job = Awaited<ReturnType<typeof systemFacts>>['jobs'][number];

function jobs(all: readonly Job[], now: number): Check {
  const name = 'jobs';
  const failing = all.filter(({ failures }) => failures >= FAILING);
  if (failing.length > 0) {
    const each = failing.map(
      ({ name: job, failures, error }) =>
        `${job} failed ${failures} times (${error ?? 'unknown'})`,
    );
    const fix = 'fix the cause that it names; the log has more';
    return warn(name, each.join(', '), fix);
  }
  const last = Math.max(0, ...all.map(({ started_at }) => started_at));
  if (last === 0) return ok(name, 'none has run yet');
  const detail = `the last ran ${timeOf(Math.max(0, now - last))} ago`;
  if (now - last < JOBS_MS) return ok(name, detail);
  const fix = 'run a process with "jobs" among its ROLES (default: all)';
  return warn(name, detail, fix);
}

async function reports({ manager }: Database, now: number): Promise<Check> {
  const name = 'reports';
  const [oldest, count] = await manager.findAndCount(Report, {
    where: { status: In(['received', 'in_review']) },
    order: { createdAt: 'ASC' },
    take: 1,
  });
  const [first] = oldest;
  if (first === undefined) return ok(name, 'none is open');
  const age = now - first.createdAt;
  const detail = `${count} open, the oldest for ${timeOf(Math.max(0, age))}`;
  if (age < REPORT_MS) return ok(name, detail);
  return warn(
    name,
    detail,
    'look at the queue, or "reserve-board report list"',
  );
}

async function alerts(db: Database, now: number): Promise<Check[]> {
  const name = 'alert';
  const all = await openAlerts(db);
  return all.map(({ kind, detail, raisedAt }) =>
    warn(
      name,
      `${kind}, for ${timeOf(Math.max(0, now - raisedAt))}`,
      detail.trim(),
    ),
  );
}
