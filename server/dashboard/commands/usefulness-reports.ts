import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import {
  type PublishedReport,
  publishedReport,
  REPORT_COLUMNS,
  type ReportRow,
} from '../../stats/usefulness-report.js';
import type {
  ListUsefulnessInput,
  PublishUsefulnessInput,
} from '../schemas/usefulness-commands.js';
import type { UsefulnessSeen } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';

export function listed(row: ReportRow): UsefulnessSeen {
  const report = publishedReport(row);
  return row.published_at === null ? { ...report, published_at: null } : report;
}

/** Drafts and published reports, newest first. */
export async function listUsefulness(
  { reads }: Pick<Desk, 'reads'>,
  { before, limit }: ListUsefulnessInput,
): Promise<{ data: UsefulnessSeen[]; next: number | null }> {
  const rows = await reads.query<ReportRow>(
    `SELECT ${REPORT_COLUMNS} FROM usefulness_report
     WHERE ($1::bigint IS NULL OR id < $1) ORDER BY id DESC LIMIT $2`,
    [before ?? null, limit + 1],
  );
  const data = rows.slice(0, limit).map(listed);
  const more = rows.length > limit;
  return { data, next: more ? (data.at(-1)?.id ?? null) : null };
}

/** @throws BoardError `not_found` */
export async function readReport(sql: Sql, id: number): Promise<ReportRow> {
  const [row] = await sql.query<ReportRow>(
    `SELECT ${REPORT_COLUMNS} FROM usefulness_report WHERE id = $1`,
    [id],
  );
  if (row !== undefined) return row;
  throw new BoardError('not_found', `There is no usefulness report ${id}.`);
}

/**
 * Exactly what publishing the draft would show, but for `published_at`, which
 * is the present (spec/operators.md §2.3).
 */
export async function previewUsefulness(
  desk: Pick<Desk, 'reads' | 'clock'>,
  { alias }: Operator,
  { id, note }: PublishUsefulnessInput,
): Promise<PublishedReport> {
  const row = await readReport(desk.reads, id);
  if (row.published_at !== null) return publishedReport(row);
  const shown = { ...row, note: note ?? row.note, operator: alias };
  return publishedReport(shown, desk.clock.now());
}
