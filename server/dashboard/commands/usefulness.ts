import { LessThan } from 'typeorm';
import { z } from 'zod';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import { DAY_MS, utcDay, utcDayStart } from '../../clock.js';
import { Message } from '../../db/entities/message.js';
import { UsefulnessReport } from '../../db/entities/stats.js';
import { nextId } from '../../db/next-id.sql.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError, invalid } from '../../errors.js';
import { oneOf, pathInteger } from '../../http/query.js';
import {
  contentMetrics,
  type Period,
  publishedReport,
  usefulnessMetrics,
} from '../../stats/index.js';
import { command } from '../command.js';
import { before, id, limit, seenAt } from '../fields.js';
import { pageOf } from '../page.js';
import { assertSeen } from '../refusals.js';
import { csv, sendFile } from '../stream-file.js';
import { responseFigures } from './response.sql.js';

const DAYS_MAX = 366;

const day = z.iso.date();
const note = z.string().max(EXPLANATION_MAX).describe('Public.');
const draftId = id.describe('The draft.');
const publishInput = z.strictObject({
  id: draftId,
  seen: seenAt,
  note: note.optional().describe("Instead of the draft's."),
});

export const listUsefulness = command({
  name: 'usefulness.list',
  reads: true,
  right: 'viewer',
  summary: 'Usefulness reports and drafts, newest first.',
  input: z.strictObject({ before, limit }),
  handle: async ({ ctx: { reads }, input: { before, limit } }) => {
    // Of the first message, in ms: reports of the time before have no figures.
    const [first] = await reads.manager.find(Message, {
      select: { createdAt: true },
      order: { id: 'ASC' },
      take: 1,
    });
    const rows = await reads.manager.find(UsefulnessReport, {
      where: before === undefined ? {} : { id: LessThan(before) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    const { data, next } = pageOf(rows, limit, ({ id }) => id);
    return { data: data.map(seen), next, began: first?.createdAt ?? null };
  },
});

/**
 * `id`: replaces this draft (spec/operators.md §2.3).
 * @throws BoardError `invalid_input` for no period, `not_found`,
 *   `decision_conflict` when `id` is published or has changed since `seen`
 */
export const draftUsefulness = command({
  name: 'usefulness.draft',
  right: 'moderator',
  summary: 'Compute the figures of a period and keep them as a draft.',
  input: z.strictObject({
    id: id.optional().describe('A draft to compute again.'),
    seen: seenAt,
    from: day.describe('The first UTC day, YYYY-MM-DD.'),
    to: day.describe('The UTC day after the last (not included).'),
    note: note.default(''),
  }),
  cli: { words: 'usefulness draft' },
  handle: async ({ ctx, operator, input, audit }) => {
    const { note } = input;
    const period = periodOf(input, ctx.clock.now());
    await ctx.telemetry.flush();
    const [counted, content, response] = await Promise.all([
      usefulnessMetrics(ctx.reads, period, ctx.clock.now()),
      contentMetrics(ctx.reads, period),
      responseFigures(ctx.reads, period),
    ]);
    const metrics = { ...counted, content, response };
    return await audit(async (tx, now) => {
      const draft = {
        metrics,
        note,
        operator: operator.alias,
        createdAt: now,
        periodStart: period.start,
        periodEnd: period.end,
      };
      const id = input.id ?? (await nextId(tx, 'usefulness_report'));
      if (input.id === undefined) {
        await tx.manager.insert(UsefulnessReport, { id, ...draft });
      } else {
        await readDraft(tx, id, input.seen);
        await tx.manager.update(UsefulnessReport, { id }, draft);
      }
      const answer = seen(await readReport(tx, id));
      const subject = `usefulness:${id}`;
      return { answer, subject, after: { period, note } };
    });
  },
});

/** `published_at` is now (spec/operators.md §2.3). */
export const previewUsefulness = command({
  name: 'usefulness.preview',
  reads: true,
  right: 'moderator',
  summary: 'Show exactly what publishing a draft would show.',
  input: publishInput,
  handle: async ({ ctx: { reads, clock }, operator, input }) => {
    const report = await readReport(reads, input.id);
    if (report.publishedAt !== null) return publishedReport(report);
    assertSeen(input.seen, report.createdAt, 'draft', seen(report));
    const { note = report.note } = input;
    const shown = { ...report, note, operator: operator.alias };
    return publishedReport(shown, clock.now());
  },
});

/**
 * Final: the database refuses later changes (spec/operators.md §2.3).
 * @throws BoardError `not_found`, `decision_conflict` when it is published or has
 *   changed since `seen`
 */
export const publishUsefulness = command({
  name: 'usefulness.publish',
  right: 'admin',
  summary: 'Publish a draft, unchanged and for good.',
  input: publishInput,
  cli: { words: 'usefulness publish', positional: ['id'] },
  handle: ({ operator: { alias }, input: { id, seen, note }, audit }) =>
    audit(async (tx, now) => {
      const draft = await readDraft(tx, id, seen);
      const { periodEnd } = draft;
      if (periodEnd > now) throw invalid('id', notEnded(utcDay(periodEnd)));
      const noted = { note: note ?? draft.note };
      const by = { ...noted, publishedAt: now, operator: alias };
      await tx.manager.update(UsefulnessReport, { id }, by);
      const answer = publishedReport({ ...draft, ...by });
      return { answer, subject: `usefulness:${id}`, after: answer };
    }),
});

/** @throws BoardError as `usefulness.publish` */
export const discardUsefulness = command({
  name: 'usefulness.discard',
  right: 'moderator',
  summary: 'Discard a draft.',
  input: publishInput.omit({ note: true }),
  cli: { words: 'usefulness discard', positional: ['id'] },
  handle: ({ input: { id, seen }, audit }) =>
    audit(async (tx) => {
      const report = await readDraft(tx, id, seen);
      await tx.manager.delete(UsefulnessReport, { id });
      const { start, end } = publishedReport(report).period;
      const before = { period: { start, end }, note: report.note };
      return { answer: { id }, subject: `usefulness:${id}`, before };
    }),
});

/** @throws BoardError `invalid_input` */
function periodOf(
  { from, to }: { from: string; to: string },
  now: number,
): Period {
  const start = Date.parse(`${from}T00:00:00Z`);
  const end = Date.parse(`${to}T00:00:00Z`);
  if (end > utcDayStart(now)) throw invalid('to', notEnded(to));
  if (start >= end)
    throw invalid('from', 'The first day must be before the last.');
  if (end - start > DAYS_MAX * DAY_MS) {
    throw invalid('from', `A period has at most ${DAYS_MAX} days.`);
  }
  return { start, end };
}

function notEnded(day: string): string {
  return `The period has not ended: it ends where the UTC day ${day} begins, and its figures would still change.`;
}

/** @throws BoardError as `usefulness.publish` */
async function readDraft(tx: Tx, id: number, at: number | undefined) {
  const report = await readReport(tx, id);
  if (report.publishedAt !== null) {
    const detail = `Usefulness report ${id} is published already, by ${report.operator}, and is never changed.`;
    const current = publishedReport(report);
    throw new BoardError('decision_conflict', detail, { current });
  }
  assertSeen(at, report.createdAt, 'draft', seen(report));
  return report;
}

/** @throws BoardError `not_found` */
async function readReport({ manager }: Sql, id: number) {
  const report = await manager.findOneBy(UsefulnessReport, { id });
  if (report !== null) return report;
  throw new BoardError('not_found', `There is no usefulness report ${id}.`);
}

/** `published_at` is null for a draft. */
export type UsefulnessSeen = ReturnType<typeof seen>;
function seen(report: UsefulnessReport) {
  const shown = publishedReport(report);
  const published_at = report.publishedAt && shown.published_at;
  return { ...shown, published_at, changed_at: report.createdAt };
}

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

/** `?format=csv|json`; as CSV one figure per line. */
export const exportUsefulness = command({
  name: 'usefulness.export',
  http: 'GET /do/usefulness/:id',
  right: 'viewer',
  input: z.object({ format: oneOf(['csv', 'json']).default('json') }),
  handle: async ({ ctx, req, res, input: { format } }) => {
    const id = pathInteger(req.params.id);
    if (id === null) throw new BoardError('not_found', 'There is no such ID.');
    const { changed_at: _, ...report } = seen(await readReport(ctx.reads, id));
    const text =
      format === 'csv'
        ? csv(['figure', 'value'], lines(report, ''))
        : JSON.stringify(report);
    sendFile(req, res, { name: `usefulness-${id}`, format, text });
    return undefined;
  },
});
