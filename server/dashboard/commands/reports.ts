import { In } from 'typeorm';
import { Decision } from '../../db/entities/decision.js';
import { Report } from '../../db/entities/report.js';
import type { Tx } from '../../db/sql.js';
import { OPEN_REPORTS } from '../../db/states.js';
import { BoardError } from '../../errors.js';
import { changeReports, publicDecision } from '../../moderation/index.js';
import { reaches } from '../actions.js';
import { audited } from '../audit.js';
import { reportsOn } from './claims.js';
import { command, type Operator } from './command.js';
import {
  lockReports,
  type ReportToSettle,
  reportPage,
} from './evidence.sql.js';

/**
 * Viewers read everything but reporters' private texts (spec/operators.md
 * §1.5).
 */
export function readsPrivateTexts({ role }: Operator): boolean {
  return reaches(role, 'moderator');
}

/** @throws BoardError `report_not_found` for an unknown `after` */
export const listReports = command('report.list', {
  right: 'viewer',
  summary: 'Reports, oldest first, with their texts.',
  cli: { words: 'report list' },
  handle: async ({ reads }, operator, input) => {
    const { status, kind = null, subject, after = null, limit } = input;
    const { messageId = null, cardId = null } =
      subject === undefined ? {} : reportsOn(subject);
    const open = status === 'open' ? OPEN_REPORTS : [status];
    const rows = await reportPage(
      reads,
      readsPrivateTexts(operator),
      {
        statuses: status === 'all' ? null : open,
        ...{ kind, messageId, cardId, after },
      },
      limit + 1,
    );
    if (rows.length === 0 && after !== null) {
      const reports = reads.manager.getRepository(Report);
      if (!(await reports.existsBy({ requestId: after }))) {
        throw unknownReport(after, 'after');
      }
    }
    const data = rows.slice(0, limit);
    const more = rows.length > limit;
    return { data, next: more ? (data.at(-1)?.request_id ?? null) : null };
  },
});

/**
 * All or none; with `decision_id` as settled by one about the same message
 * (spec/operators.md §2.4).
 *
 * @throws BoardError `report_not_found`, `invalid_input` for a decision about
 * something else, `decision_conflict` when one is settled already.
 */
export const settleReports = command('report.settle', {
  right: 'moderator',
  summary: 'Settles reports without a new decision.',
  cli: {
    words: 'report resolve',
    positional: ['report_ids'],
    flags: { decision_id: 'decision' },
  },
  handle: async (context, operator, input) => {
    const ids = [...new Set(input.report_ids)].sort();
    const { as: status, decision_id: decisionId } = input;
    return await audited(
      context,
      operator,
      `report.${status}`,
      async (tx, now) => {
        const rows = await lockReports(tx, ids);
        for (const id of ids) {
          const row = rows.find((each) => each.request_id === id);
          if (row === undefined) throw unknownReport(id, 'report_ids');
          if (['resolved', 'dismissed'].includes(row.status)) {
            throw await settledAlready(tx, row);
          }
        }
        if (decisionId !== undefined) await isAbout(tx, rows, decisionId);
        await changeReports(
          tx,
          { requestId: In(ids) },
          {
            ...{ status, statusAt: now },
            ...(decisionId === undefined ? {} : { decisionId }),
          },
        );
        const messages = new Set(rows.map((row) => row.message_id));
        return {
          answer: { report_ids: ids, status },
          subject: [...messages].map((id) => `message:${id}`).join(' '),
          before: { statuses: rows.map((row) => row.status) },
          after: { ...input, report_ids: ids },
        };
      },
    );
  },
});

function unknownReport(requestId: string, field: string): BoardError {
  const detail = `There is no report ${requestId}.`;
  return new BoardError('report_not_found', detail, { field });
}

async function settledAlready(
  tx: Tx,
  { request_id, status, status_at, decision_id }: ReportToSettle,
): Promise<BoardError> {
  const decision =
    decision_id === null
      ? null
      : await tx.manager.getRepository(Decision).findOneBy({ id: decision_id });
  const current = decision && {
    ...decision,
    decided_at: decision.decidedAt,
    log_index: decision.logIndex,
  };
  return new BoardError(
    'decision_conflict',
    `Report ${request_id} is ${status} already.`,
    {
      current: current
        ? publicDecision(current)
        : { request_id, status, status_at },
    },
  );
}

async function isAbout(
  { manager }: Tx,
  rows: readonly ReportToSettle[],
  decisionId: number,
): Promise<void> {
  const decision = await manager.getRepository(Decision).findOne({
    select: { id: true, messageId: true },
    where: { id: decisionId },
  });
  const about = decision?.messageId;
  if (rows.every(({ message_id }) => message_id === about)) return;
  throw new BoardError(
    'invalid_input',
    `Decision ${decisionId} is not about what was reported.`,
    { field: 'decision_id' },
  );
}
