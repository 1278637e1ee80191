import type { FindOptionsWhere, QueryDeepPartialEntity } from 'typeorm';
import { Report } from '../../db/entities/report.js';
import { noteEvent } from '../../db/note-event.js';
import type { Tx } from '../../db/sql.js';
import { subjectName } from '../subject-name.js';

export const CHANGED = [
  ...['requestId', 'kind', 'status'],
  ...['claimedBy', 'messageId', 'cardId', 'board', 'mirroredId'],
];

export type ChangedReport = Pick<Report, 'kind' | 'status'> & {
  request_id: string;
  claimed_by: string | null;
  message_id: number | null;
  card_id: string | null;
  board: string | null;
  mirrored_id: number | null;
};

export async function noteReports(
  tx: Tx,
  reports: readonly ChangedReport[],
): Promise<void> {
  const payloads = reports.map((row) => ({
    subject: subjectName({
      messageId: row.message_id,
      cardId: row.card_id,
      board: row.board,
      mirroredId: row.mirrored_id,
    }),
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
