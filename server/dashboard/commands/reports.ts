import { In } from 'typeorm';
import { z } from 'zod';
import {
  EXPLANATION_MAX,
  REPORT_STATUSES,
  type ReportStatus,
} from '../../../protocol/moderation.js';
import { Decision } from '../../db/entities/decision.js';
import { Report } from '../../db/entities/report.js';
import type { Tx } from '../../db/sql.js';
import {
  OPEN_REPORTS,
  STORED_REPORT_KINDS,
  type StoredReportKind,
} from '../../db/states.js';
import { BoardError, invalid } from '../../errors.js';
import {
  changeReports,
  endClaims,
  newestDecision,
  reportsOn,
} from '../../moderation/index.js';
import { audited } from '../audit.js';
import { command, type Operator } from '../command.js';
import {
  id,
  limit,
  reporterAnswer,
  requestIds,
  said,
  subject,
  uuid,
} from '../fields.js';
import { pageOf } from '../page.js';
import { reaches } from '../roles.js';
import {
  lockReports,
  type ReportToSettle,
  reportPage,
} from './evidence.sql.js';

/** `detail` null for viewers. */
export type ReportSeen = {
  request_id: string;
  subject: string;
  kind: StoredReportKind;
  reason: string;
  detail: string | null;
  /** `detail` contains a removal request signed with the message's key. */
  author_verified: boolean;
  status: ReportStatus;
  /** In ms. */
  created_at: number;
  status_at: number;
  claimed_by: string | null;
  decision_id: number | null;
  /** The decision to keep that it came after, for the same reason. */
  repeats: number | null;
};

const listInput = z.strictObject({
  status: z.enum(['open', 'all', ...REPORT_STATUSES]).default('open'),
  kind: z.enum(STORED_REPORT_KINDS).optional(),
  subject: subject.optional(),
  after: uuid.optional().describe('Go on behind this report.'),
  limit,
});
export type ReportsInput = z.output<typeof listInput>;

/** spec/operators.md §1.5 */
export function readsPrivateTexts({ role }: Operator): boolean {
  return reaches(role, 'moderator');
}

export const listReports = command({
  name: 'report.list',
  reads: true,
  right: 'viewer',
  summary: 'Reports, oldest first, with their texts.',
  input: listInput,
  cli: { words: 'report list' },
  handle: async ({ ctx: { reads }, operator, input }) => {
    const { status, after, limit } = input;
    const open = status === 'open' ? OPEN_REPORTS : [status];
    const statuses = status === 'all' ? null : open;
    const texts = readsPrivateTexts(operator);
    const rows = await reportPage(reads, texts, statuses, input);
    if (rows.length === 0 && after !== undefined) {
      const known = await reads.manager.existsBy(Report, { requestId: after });
      if (!known) throw unknownReport(after, 'after');
    }
    return pageOf(rows, limit, (last) => last.request_id);
  },
});

/**
 * All or none; `decision_id` is about the same message (spec/operators.md
 * §2.4).
 * @throws BoardError `report_not_found`, `invalid_input` for another message's
 *   decision, `decision_conflict` when one is settled already
 */
export const settleReports = command({
  name: 'report.settle',
  right: 'moderator',
  summary: 'Close reports without a new decision.',
  input: z.strictObject({
    report_ids: requestIds.min(1).describe('The reports.'),
    as: z
      .enum(['resolved', 'dismissed'])
      .describe('`dismissed`: they are unfounded.'),
    decision_id: id.optional().describe('The decision that closed them.'),
    private_note: said(EXPLANATION_MAX)
      .optional()
      .describe('For operators only.'),
    answer: reporterAnswer,
  }),
  cli: {
    words: 'report resolve',
    positional: ['report_ids'],
    flags: { decision_id: 'decision' },
  },
  handle: async ({ ctx, operator, input }) => {
    const ids = [...new Set(input.report_ids)].sort();
    const { as: status, decision_id: decisionId } = input;
    const name = `report.${status}`;
    return await audited(ctx, operator, name, async (tx, now) => {
      const rows = await lockReports(tx, ids);
      for (const id of ids) {
        const row = rows.find((each) => each.request_id === id);
        if (row === undefined) throw unknownReport(id, 'report_ids');
        if (['resolved', 'dismissed'].includes(row.status)) {
          throw await settledAlready(tx, row);
        }
      }
      if (decisionId !== undefined) await isAbout(tx, rows, decisionId);
      const by = decisionId === undefined ? {} : { decisionId };
      const answer = input.answer || null;
      const to = { status, statusAt: now, answer, ...by };
      await changeReports(tx, { requestId: In(ids) }, to);
      await endSettled(tx, rows, now);
      // A card's is its message.
      const subjects = rows.map(({ subject, message_id: id }) =>
        id === null ? subject : `message:${id}`,
      );
      return {
        answer: { report_ids: ids, status },
        subject: [...new Set(subjects)].join(' '),
        before: { statuses: rows.map((row) => row.status) },
        after: { ...input, report_ids: ids },
      };
    });
  },
});

/** Claims end with the last report of their subject. */
async function endSettled(
  tx: Tx,
  rows: readonly ReportToSettle[],
  now: number,
): Promise<void> {
  const status = In([...OPEN_REPORTS]);
  for (const subject of new Set(rows.map((row) => row.subject))) {
    const open = { ...reportsOn(subject), status };
    if (await tx.manager.existsBy(Report, open)) continue;
    await endClaims(tx, { subject }, now);
  }
}

function unknownReport(requestId: string, field: string): BoardError {
  const detail = `There is no report ${requestId}.`;
  return new BoardError('report_not_found', detail, { field });
}

async function settledAlready(
  tx: Tx,
  { request_id, status, status_at, decision_id }: ReportToSettle,
): Promise<BoardError> {
  const decision =
    decision_id && (await newestDecision(tx, { id: decision_id }));
  const current = decision || { request_id, status, status_at };
  const detail = `Report ${request_id} is ${status.replace('_', ' ')} already.`;
  return new BoardError('decision_conflict', detail, { current });
}

async function isAbout(
  { manager }: Tx,
  rows: readonly ReportToSettle[],
  decisionId: number,
): Promise<void> {
  const decision = await manager.findOneBy(Decision, { id: decisionId });
  const about = decision?.messageId;
  if (rows.every(({ message_id }) => message_id === about)) return;
  const detail = `Decision ${decisionId} is not about what was reported.`;
  throw invalid('decision_id', detail);
}
