import { type FindOptionsWhere, In } from 'typeorm';
import { SubjectClaim } from '../db/entities/dashboard.js';
import { Poll } from '../db/entities/poll.js';
import { Report } from '../db/entities/report.js';
import { SelectionCard } from '../db/entities/selection.js';
import { noteEvent } from '../db/note-event.js';
import type { Tx } from '../db/sql.js';
import { OPEN_REPORTS } from '../db/states.js';
import { reportsOn } from './subject-name.js';

/** After the claimer's last action at the item (spec/operators.md §2.4). */
export const CLAIM_MS = 30 * 60_000;

/**
 * Open reports are in review by an operator, or wait (null). Before the claim
 * changes: a decision locks its reports first, too.
 */
export async function reviewReports(
  tx: Tx,
  subject: string,
  claimedBy: string | null,
  statusAt: number,
): Promise<void> {
  const open = { ...reportsOn(subject), status: In([...OPEN_REPORTS]) };
  const first = () => `coalesce(first_claimed_at, ${statusAt})`;
  await tx.manager.update(Report, open, {
    claimedBy,
    statusAt,
    ...(claimedBy === null ? {} : { firstClaimedAt: first }),
    status: claimedBy === null ? 'received' : 'in_review',
  });
  await noteEvent(tx, 'report', { subject, claimed_by: claimedBy });
}

/** @returns how many ended */
export async function endClaims(
  tx: Tx,
  which: FindOptionsWhere<SubjectClaim>,
  at: number,
): Promise<number> {
  const claims = await tx.manager.find(SubjectClaim, {
    where: which,
    order: { subject: 'ASC' },
  });
  for (const { subject, claimedAt } of claims) {
    await reviewReports(tx, subject, null, at);
    // One that was renewed meanwhile stays.
    await tx.manager.delete(SubjectClaim, { subject, claimedAt });
  }
  return claims.length;
}

/** Of the message, its poll and its cards. */
export async function endClaimsOn(
  tx: Tx,
  messageId: number,
  at: number,
): Promise<void> {
  const { manager } = tx;
  if (!(await manager.exists(SubjectClaim))) return;
  const polls = await manager.findBy(Poll, { rootId: messageId });
  const cards = await manager.findBy(SelectionCard, { messageId });
  const subjects = [
    `message:${messageId}`,
    ...polls.map(({ id }) => `poll:${id}`),
    ...cards.map(({ selectionId, n }) => `card:${selectionId}-${n}`),
  ];
  await endClaims(tx, { subject: In(subjects) }, at);
}
