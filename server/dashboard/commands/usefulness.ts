import { IsNull, LessThan, type QueryDeepPartialEntity } from 'typeorm';
import { z } from 'zod';
import { DAY_MS, utcDay, utcDayStart } from '../../clock.js';
import { UsefulnessReport } from '../../db/entities/stats.js';
import { nextId } from '../../db/next-id.sql.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { oneOf, parseQuery, pathInteger } from '../../http/query.js';
import {
  contentMetrics,
  type Period,
  publishedReport,
  usefulnessMetrics,
} from '../../stats/index.js';
import { action } from '../actions.js';
import { pageOf } from '../page-of.js';
import { invalid } from '../refusals.js';
import type { CommandAsked } from '../schemas/commands.js';
import type { UsefulnessSeen } from '../schemas/views.js';
import { csv, sendFile } from '../stream-file.js';
import { command } from './command.js';
import { responseFigures } from './response.sql.js';

const DAYS_MAX = 366;

export const listUsefulness = command('usefulness.list', {
  right: 'viewer',
  summary: 'Usefulness reports and drafts, newest first.',
  handle: async ({ reads }, _operator, { before, limit }) => {
    const rows = await reads.manager.find(UsefulnessReport, {
      where: before === undefined ? {} : { id: LessThan(before) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    const { data, next } = pageOf(rows, limit, ({ id }) => id);
    return { data: data.map(seen), next };
  },
});

/**
 * A new draft, or one instead of the draft `id` (spec/operators.md §2.3).
 *
 * @throws BoardError `invalid_input` for no period, `not_found`,
 * `decision_conflict` when `id` is published.
 */
export const draftUsefulness = command('usefulness.draft', {
  right: 'moderator',
  summary: 'Computes the figures of a period and keeps them as a draft.',
  cli: { words: 'usefulness draft' },
  handle: async (context, operator, input, audit) => {
    const { note } = input;
    const period = periodOf(input, context.clock.now());
    await context.telemetry.flush();
    const [counted, content, response] = await Promise.all([
      usefulnessMetrics(context.reads, period, context.clock.now()),
      contentMetrics(context.reads, period),
      responseFigures(context.reads, period),
    ]);
    const metrics = { ...counted, content, response };
    return await audit(async (tx, now) => {
      const draft = {
        ...{ metrics, note, operator: operator.alias, createdAt: now },
        ...{ periodStart: period.start, periodEnd: period.end },
      };
      const id = input.id ?? (await nextId(tx, 'usefulness_report'));
      if (input.id === undefined) {
        await tx.manager.insert(UsefulnessReport, { id, ...draft });
      } else if (!(await changeDraft(tx, id, draft))) {
        throw published(await readReport(tx, id));
      }
      const answer = seen(await readReport(tx, id));
      const subject = `usefulness:${id}`;
      return { answer, subject, after: { period, note } };
    });
  },
});

/** `published_at` is the present (spec/operators.md §2.3). */
export const previewUsefulness = command('usefulness.preview', {
  right: 'moderator',
  summary: 'Shows exactly what publishing a draft would show.',
  handle: async ({ reads, clock }, { alias }, { id, note }) => {
    const report = await readReport(reads, id);
    if (report.publishedAt !== null) return publishedReport(report);
    const shown = { ...report, note: note ?? report.note, operator: alias };
    return publishedReport(shown, clock.now());
  },
});

/**
 * As it was computed; the database refuses every later change
 * (spec/operators.md §2.3).
 *
 * @throws BoardError `not_found`, `decision_conflict` when it is published.
 */
export const publishUsefulness = command('usefulness.publish', {
  right: 'admin',
  summary: 'Publishes a draft, unchanged and for good.',
  cli: { words: 'usefulness publish', positional: ['id'] },
  handle: (_context, { alias }, { id, note }, audit) =>
    audit(async (tx, now) => {
      const noted = note === undefined ? {} : { note };
      const by = { publishedAt: now, operator: alias };
      const { periodEnd } = await readReport(tx, id);
      if (periodEnd > now) throw invalid('id', notEnded(utcDay(periodEnd)));
      const changed = await changeDraft(tx, id, { ...by, ...noted });
      const report = await readReport(tx, id);
      if (!changed) throw published(report);
      const answer = publishedReport(report);
      return { answer, subject: `usefulness:${id}`, after: answer };
    }),
});

/**
 * Deletes a draft.
 *
 * @throws BoardError `not_found`, `decision_conflict` when it is published.
 */
export const discardUsefulness = command('usefulness.discard', {
  right: 'moderator',
  summary: 'Discards a draft.',
  cli: { words: 'usefulness discard', positional: ['id'] },
  handle: (_context, _operator, { id }, audit) =>
    audit(async (tx) => {
      const report = await readReport(tx, id);
      const draft = { id, publishedAt: IsNull() };
      const { affected } = await tx.manager.delete(UsefulnessReport, draft);
      if (affected !== 1) throw published(report);
      const { start, end } = publishedReport(report).period;
      const before = { period: { start, end }, note: report.note };
      return { answer: { id }, subject: `usefulness:${id}`, before };
    }),
});

/** @throws BoardError `invalid_input` */
function periodOf(
  { from, to }: CommandAsked<'usefulness.draft'>,
  now: number,
): Period {
  const start = Date.parse(`${from}T00:00:00Z`);
  const end = Date.parse(`${to}T00:00:00Z`);
  if (end > utcDayStart(now)) throw invalid('to', notEnded(to));
  if (start >= end) throw invalid('from', '`from` must be before `to`.');
  if (end - start > DAYS_MAX * DAY_MS) {
    throw invalid('from', `A period has at most ${DAYS_MAX} days.`);
  }
  return { start, end };
}

function notEnded(day: string): string {
  return `The period has not ended: it ends where the UTC day ${day} begins, and its figures would still change.`;
}

/** False where there is no draft of this ID. */
async function changeDraft(
  { manager }: Tx,
  id: number,
  to: QueryDeepPartialEntity<UsefulnessReport>,
): Promise<boolean> {
  const draft = { id, publishedAt: IsNull() };
  return (await manager.update(UsefulnessReport, draft, to)).affected === 1;
}

/** @throws BoardError `not_found` */
async function readReport(
  { manager }: Sql,
  id: number,
): Promise<UsefulnessReport> {
  const report = await manager.findOneBy(UsefulnessReport, { id });
  if (report !== null) return report;
  throw new BoardError('not_found', `There is no usefulness report ${id}.`);
}

function published(report: UsefulnessReport): BoardError {
  return new BoardError(
    'decision_conflict',
    `Usefulness report ${report.id} is published already and is never changed.`,
    { current: publishedReport(report) },
  );
}

function seen(report: UsefulnessReport): UsefulnessSeen {
  const shown = publishedReport(report);
  return report.publishedAt === null ? { ...shown, published_at: null } : shown;
}

const QUERY = z.object({ format: oneOf(['csv', 'json']).default('json') });

/** Every figure of a report as a line of its name and its value. */
function lines(
  value: unknown,
  name: string,
): { figure: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) {
    return [{ figure: name, value }];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    lines(inner, name === '' ? key : `${name}.${key}`),
  );
}

/** `?format=csv|json`: one report, a draft too; as CSV one figure a line. */
export const exportUsefulness = action({
  name: 'usefulness.export',
  get: '/do/usefulness/:id',
  least: 'viewer',
  handle: async ({ ctx, req, res }) => {
    const id = pathInteger(req.params.id);
    if (id === null) throw new BoardError('not_found', 'There is no such ID.');
    const { format } = parseQuery(QUERY, req.originalUrl);
    const report = seen(await readReport(ctx.reads, id));
    const text =
      format === 'csv'
        ? csv(['figure', 'value'], lines(report, ''))
        : JSON.stringify(report);
    sendFile(req, res, { name: `usefulness-${id}`, format, text });
    return undefined;
  },
});
