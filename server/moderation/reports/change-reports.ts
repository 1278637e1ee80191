import type { FindOptionsWhere, QueryDeepPartialEntity } from 'typeorm';
import { Report } from '../../db/entities/report.js';
import { noteEvent } from '../../db/note-event.js';
import type { Tx } from '../../db/sql.js';

export const CHANGED = [
  ...['requestId', 'kind', 'status'],
  ...['claimedBy', 'messageId', 'cardId'],
];

type ChangedReport = Pick<Report, 'kind' | 'status'> & {
  request_id: string;
  claimed_by: string | null;
  message_id: number | null;
  card_id: string | null;
};

export async function noteReports(
  tx: Tx,
  reports: readonly ChangedReport[],
): Promise<void> {
  const payloads = reports.map((row) => ({
    subject:
      row.message_id === null
        ? `card:${row.card_id}`
        : `message:${row.message_id}`,
    report_id: row.request_id,
    report_kind: row.kind,
    status: row.status,
    claimed_by: row.claimed_by,
  }));
  await noteEvent(tx, 'report', ...payloads);
}

export async function changeReports(
  tx: Tx,
  where: FindOptionsWhere<Report> | FindOptionsWhere<Report>[],
  change: QueryDeepPartialEntity<Report>,
): Promise<number> {
  const { raw } = await tx.manager
    .createQueryBuilder()
    .update(Report)
    .set(change)
    .where(where)
    .returning(CHANGED)
    .execute();
  await noteReports(tx, raw as ChangedReport[]);
  return raw.length;
}
