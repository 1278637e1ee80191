import type { ReportStatus } from '../../../protocol/moderation.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { CARD_MESSAGE } from '../../moderation/decision-order.js';
import {
  DECISION_COLUMNS,
  type DecisionRow,
  publicDecision,
} from '../../moderation/record-decision.js';
import { recordAudit } from '../audit.js';
import type { Settled } from '../schemas/answers.js';
import type { SettleReportsInput } from '../schemas/report-commands.js';
import type { Desk, Operator } from './action-context.js';
import { unknownReport } from './list-reports.js';

type Row = {
  request_id: string;
  status: ReportStatus;
  status_at: number;
  decision_id: number | null;
  message_id: number | null;
};

/**
 * Settles reports without a new decision (spec/operators.md §2.4), all or none;
 * with
 * `decision_id` as settled by one about the same message.
 *
 * @throws BoardError `report_not_found`, `invalid_input` for a decision about
 * something else, `decision_conflict` when one is settled already.
 */
export async function settleReports(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  input: SettleReportsInput,
): Promise<Settled> {
  const ids = [...new Set(input.report_ids)].sort();
  return await desk.writes.transaction(async (tx) => {
    const rows = await tx.query<Row>(
      `SELECT p.request_id, p.status, p.status_at, p.decision_id,
         coalesce(p.message_id, ${CARD_MESSAGE}) AS message_id
       FROM report p WHERE p.request_id = ANY($1::uuid[])
       ORDER BY p.request_id FOR UPDATE OF p`,
      [ids],
    );
    for (const id of ids) {
      const row = rows.find((each) => each.request_id === id);
      if (row === undefined) throw unknownReport(id, 'report_ids');
      if (['resolved', 'dismissed'].includes(row.status)) {
        throw await settledAlready(tx, row);
      }
    }
    await checkDecision(tx, rows, input.decision_id);
    const now = desk.clock.now();
    await tx.query(
      `UPDATE report SET status = $2, status_at = $3,
         decision_id = coalesce($4, decision_id)
       WHERE request_id = ANY($1::uuid[])`,
      [ids, input.as, now, input.decision_id ?? null],
    );
    const deed = {
      action: `report.${input.as}`,
      subject: subjectsOf(rows),
      before: { statuses: rows.map((row) => row.status) },
      after: { ...input, report_ids: ids },
    };
    await recordAudit(tx, operator, deed, now);
    return { report_ids: ids, status: input.as };
  });
}

function subjectsOf(rows: readonly Row[]): string {
  const messages = [...new Set(rows.map((row) => row.message_id))];
  return messages.map((id) => `message:${id}`).join(' ');
}

async function settledAlready(tx: Tx, row: Row): Promise<BoardError> {
  const [decision] =
    row.decision_id === null
      ? []
      : await tx.query<DecisionRow>(
          `SELECT ${DECISION_COLUMNS} FROM decision d WHERE d.id = $1`,
          [row.decision_id],
        );
  const { request_id, status, status_at } = row;
  return new BoardError(
    'decision_conflict',
    `Report ${request_id} is ${status} already.`,
    {
      current:
        decision === undefined
          ? { request_id, status, status_at }
          : publicDecision(decision),
    },
  );
}

async function checkDecision(
  tx: Tx,
  rows: readonly Row[],
  decisionId: number | undefined,
): Promise<void> {
  if (decisionId === undefined) return;
  const [decision] = await tx.query<{ message_id: number }>(
    'SELECT message_id FROM decision WHERE id = $1',
    [decisionId],
  );
  const about = decision?.message_id;
  if (rows.every(({ message_id }) => message_id === about)) return;
  throw new BoardError(
    'invalid_input',
    `Decision ${decisionId} is not about what was reported.`,
    { field: 'decision_id' },
  );
}
