import { IsNull, MoreThan } from 'typeorm';
import { DAY_MS } from '../../clock.js';
import { Decision } from '../../db/entities/decision.js';
import { Report } from '../../db/entities/report.js';
import type { Tx } from '../../db/sql.js';
import { changeReports } from './change-reports.js';
import type { NewReport } from './report.js';

const REPEATED_MS = 7 * DAY_MS;
/** So many networks have to say the same again. */
const NETWORKS = 3;

/**
 * A report for a reason for which operators kept the message in the last 7
 * days is settled by that decision when it comes (spec/operators.md §2.4).
 */
export async function repeats(tx: Tx, report: NewReport): Promise<NewReport> {
  const { messageId, reporter, reason, createdAt } = report;
  if (messageId === null || reporter === null) return report;
  const kept = await tx.manager.findOne(Decision, {
    where: { messageId, pollId: IsNull() },
    order: { id: 'DESC' },
  });
  if (kept?.action !== 'keep') return report;
  if (kept.decidedAt <= createdAt - REPEATED_MS) return report;
  // Locked, so that of three at once one is the third.
  const first = await tx.manager.findOne(Report, {
    select: { requestId: true },
    where: { messageId, reason, kind: 'report', decisionId: kept.id },
    order: { createdAt: 'ASC', requestId: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  if (first === null) return report;
  const settled = { status: 'resolved', decisionId: kept.id } as const;
  return { ...report, ...settled, repeats: kept.id };
}

/** Opens those of one reason when a third network has sent one. */
export async function reopenRepeats(
  tx: Tx,
  { messageId, reason, repeats, createdAt: statusAt }: NewReport,
): Promise<void> {
  if (messageId === null || repeats === null) return;
  const same = { messageId, reason, repeats };
  const sent = await tx.manager.find(Report, {
    select: { reporter: true },
    where: { ...same, createdAt: MoreThan(statusAt - REPEATED_MS) },
  });
  const networks = new Set(
    sent.map(({ reporter }) => reporter?.toString('hex')),
  );
  if (networks.size < NETWORKS) return;
  await changeReports(
    tx,
    { ...same, status: 'resolved', decisionId: repeats },
    { status: 'received', statusAt, claimedBy: null, answer: null },
  );
}
