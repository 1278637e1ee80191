import { DAY_MS, utcDayStart } from '../../clock.js';
import { nextId } from '../../db/next-id.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import {
  contentMetrics,
  type Period,
  usefulnessMetrics,
} from '../../stats/usefulness-metrics.js';
import {
  REPORT_COLUMNS,
  type ReportRow,
} from '../../stats/usefulness-report.js';
import { recordAudit } from '../audit.js';
import type { DraftUsefulnessInput } from '../schemas/usefulness-commands.js';
import type { UsefulnessSeen } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';
import { publishedAlready } from './publish-usefulness.js';
import { listed, readReport } from './usefulness-reports.js';

const DAYS_MAX = 366;

/**
 * Computes the metrics of a period of whole UTC days and keeps them as a
 * draft, a new one or instead of the draft `id` (spec/operators.md §2.3).
 *
 * @throws BoardError `invalid_input` for no period, `not_found`,
 * `decision_conflict` when `id` is published.
 */
export async function draftUsefulness(
  desk: Pick<Desk, 'writes' | 'reads' | 'clock' | 'telemetry'>,
  operator: Operator,
  input: DraftUsefulnessInput,
): Promise<UsefulnessSeen> {
  const now = desk.clock.now();
  const period = periodOf(input, now);
  await desk.telemetry.flush();
  const [counted, content] = await Promise.all([
    usefulnessMetrics(desk.reads, period),
    contentMetrics(desk.reads, period),
  ]);
  const metrics = { ...counted, content };
  return await desk.writes.transaction(async (tx) => {
    const row = await keep(tx, operator, input, period, metrics, now);
    const deed = {
      action: 'usefulness.draft',
      subject: `usefulness:${row.id}`,
      after: { period, note: input.note },
    };
    await recordAudit(tx, operator, deed, now);
    return listed(row);
  });
}

/** @throws BoardError `invalid_input` */
function periodOf({ from, to }: DraftUsefulnessInput, now: number): Period {
  const start = Date.parse(`${from}T00:00:00Z`);
  const end = Date.parse(`${to}T00:00:00Z`);
  if (end > utcDayStart(now) + DAY_MS) {
    throw invalid('to', 'A period ends today at the latest.');
  }
  if (start >= end) throw invalid('from', '`from` must be before `to`.');
  if (end - start > DAYS_MAX * DAY_MS) {
    throw invalid('from', `A period has at most ${DAYS_MAX} days.`);
  }
  return { start, end };
}

function invalid(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}

async function keep(
  tx: Tx,
  { alias }: Operator,
  { id, note }: DraftUsefulnessInput,
  { start, end }: Period,
  metrics: object,
  now: number,
): Promise<ReportRow> {
  const values = [start, end, JSON.stringify(metrics), note, alias, now];
  const [row] =
    id === undefined
      ? await tx.query<ReportRow>(
          `INSERT INTO usefulness_report (id, period_start, period_end,
             metrics, note, operator, created_at)
           VALUES ($7, $1, $2, $3, $4, $5, $6) RETURNING ${REPORT_COLUMNS}`,
          [...values, await nextId(tx, 'usefulness_report')],
        )
      : await tx.query<ReportRow>(
          `UPDATE usefulness_report SET period_start = $1, period_end = $2,
             metrics = $3, note = $4, operator = $5, created_at = $6
           WHERE id = $7 AND published_at IS NULL RETURNING ${REPORT_COLUMNS}`,
          [...values, id],
        );
  if (row !== undefined) return row;
  throw publishedAlready(await readReport(tx, id ?? 0));
}
