import { IsNull, MoreThan } from 'typeorm';
import { Decision } from '../db/entities/decision.js';
import { Report } from '../db/entities/report.js';
import type { Tx } from '../db/sql.js';
import { BoardError, invalid } from '../errors.js';
import { lockReports } from './decisions.js';
import {
  conflict,
  type DecisionInput,
  newestDecision,
} from './record-decision.js';

type Seen = {
  /** Null: none was shown. */
  seen?: number | null;
};

/**
 * Under the head lock, before the rules of the action; null: in order.
 * `decision_conflict` has the present decision as `current` (spec/operators.md
 * §2.6).
 */
export async function ordered(
  tx: Tx,
  input: DecisionInput & Seen,
): Promise<BoardError | null> {
  return (
    (await unseen(tx, input)) ??
    (await superseded(tx, input)) ??
    (await settled(tx, input))
  );
}

/** Somebody decided after the operator looked. */
async function unseen(
  tx: Tx,
  { id, seen }: DecisionInput & Seen,
): Promise<BoardError | null> {
  if (seen === undefined) return null;
  const last = await tx.manager.maximum(Decision, 'id', { messageId: id });
  if (last === seen) return null;
  return await conflict(
    tx,
    id,
    'Another operator decided on this item after you looked at it.',
  );
}

/** Unknown, of another subject, or undone already. */
async function superseded(
  tx: Tx,
  { id, supersedes }: DecisionInput,
): Promise<BoardError | null> {
  if (supersedes === undefined) return null;
  const known = { id: supersedes, messageId: id };
  if (!(await tx.manager.existsBy(Decision, known))) {
    return invalid(
      'supersedes',
      `There is no decision ${supersedes} on this item.`,
    );
  }
  const current = await newestDecision(tx, { messageId: id, supersedes });
  if (current === null) return null;
  return new BoardError(
    'decision_conflict',
    `Decision ${supersedes} is reversed already.`,
    { current },
  );
}

/** Unknown, of another subject, or settled already. */
async function settled(
  tx: Tx,
  { id, reportIds = [] }: DecisionInput,
): Promise<BoardError | null> {
  if (reportIds.length === 0) return null;
  const rows = await lockReports(tx, reportIds, id);
  const own = new Map(rows.map((row) => [row.request_id, row]));
  for (const requestId of reportIds) {
    const row = own.get(requestId);
    if (row?.own !== true) {
      return new BoardError(
        'report_not_found',
        `No report ${requestId} is about this item.`,
        { field: 'report_ids' },
      );
    }
    if (!row.open) {
      return await conflict(tx, id, `Report ${requestId} is closed already.`);
    }
  }
  return null;
}

/** Whether the newest decision is `keep` and no report came since. */
export async function moderationUnchanged(
  { manager }: Tx,
  { id: messageId, supersedes }: DecisionInput,
): Promise<boolean> {
  const last = await manager.findOne(Decision, {
    where: { messageId, pollId: IsNull() },
    order: { id: 'DESC' },
  });
  if (last?.action !== 'keep' || last.id === supersedes) return false;
  const createdAt = MoreThan(last.decidedAt);
  return !(await manager.existsBy(Report, { messageId, createdAt }));
}
