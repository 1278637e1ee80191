import { BoardError } from '../../errors.js';
import {
  type PublishedReport,
  publishedReport,
  REPORT_COLUMNS,
  type ReportRow,
} from '../../stats/usefulness-report.js';
import { recordAudit } from '../audit.js';
import type { PublishUsefulnessInput } from '../schemas/usefulness-commands.js';
import type { Desk, Operator } from './action-context.js';
import { readReport } from './usefulness-reports.js';

/**
 * Publishes a draft as it was computed; nothing changes it afterwards, which
 * the database sees to (spec/operators.md §2.3).
 *
 * @throws BoardError `not_found`, `decision_conflict` when it is published.
 */
export async function publishUsefulness(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  { id, note }: PublishUsefulnessInput,
): Promise<PublishedReport> {
  const now = desk.clock.now();
  return await desk.writes.transaction(async (tx) => {
    const [row] = await tx.query<ReportRow>(
      `UPDATE usefulness_report SET published_at = $2, operator = $3,
         note = coalesce($4, note)
       WHERE id = $1 AND published_at IS NULL RETURNING ${REPORT_COLUMNS}`,
      [id, now, operator.alias, note ?? null],
    );
    if (row === undefined) throw publishedAlready(await readReport(tx, id));
    const report = publishedReport(row);
    const deed = {
      action: 'usefulness.publish',
      subject: `usefulness:${id}`,
      after: report,
    };
    await recordAudit(tx, operator, deed, now);
    return report;
  });
}

export function publishedAlready(row: ReportRow): BoardError {
  return new BoardError(
    'decision_conflict',
    `Usefulness report ${row.id} is published already and is never changed.`,
    { current: publishedReport(row) },
  );
}
