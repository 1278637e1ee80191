import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import type { ClaimInput } from '../schemas/report-commands.js';
import type { Claim } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';
import { columnsOf } from './list-reports.js';

type Held = { operator_id: string; operator: string; at: number };

/** The claim of a subject `s` as JSON, or null. */
export const CLAIM = `(SELECT json_build_object('operator_id', c.operator_id,
    'operator', o.alias, 'at', c.claimed_at)
  FROM subject_claim c JOIN operator o ON o.id = c.operator_id
  WHERE c.subject = s.subject)`;

export function claimView(held: Held | null, operator: Operator): Claim | null {
  if (held === null) return null;
  const mine = held.operator_id === operator.operatorId;
  return { operator: held.operator, mine, at: held.at };
}

/**
 * Takes a subject: its open reports are in review (spec/operators.md §2.4).
 * @throws BoardError `decision_conflict` with the claim that stands, unless
 * `take_over`; `forbidden` for the command line, which has no account.
 */
export async function claim(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  { subject, take_over: takeOver }: ClaimInput,
): Promise<{ subject: string; claim: Claim }> {
  const { operatorId } = operator;
  if (operatorId === null) {
    throw new BoardError('forbidden', 'Only an operator with an account may.');
  }
  const now = desk.clock.now();
  return await desk.writes.transaction(async (tx) => {
    await mustExist(tx, subject);
    const taken = await tx.query(
      `INSERT INTO subject_claim AS c (subject, operator_id, claimed_at)
       VALUES ($1, $2, $3)
       ON CONFLICT (subject) DO UPDATE SET operator_id = $2, claimed_at = $3
         WHERE $4 OR c.operator_id = $2 RETURNING 1 AS done`,
      [subject, operatorId, now, takeOver],
    );
    if (taken.length === 0) throw await claimed(tx, subject, operator);
    await review(tx, subject, operator.alias, now);
    const deed = { action: 'subject.claim', subject, after: { takeOver } };
    await recordAudit(tx, operator, deed, now);
    const own = { operator: operator.alias, mine: true, at: now };
    return { subject, claim: own };
  });
}

/** Leaves a subject: its reports wait again. Not claimed is left already. */
export async function unclaim(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  { subject, take_over: takeOver }: ClaimInput,
): Promise<{ subject: string; claim: null }> {
  const now = desk.clock.now();
  return await desk.writes.transaction(async (tx) => {
    const left = await tx.query(
      `DELETE FROM subject_claim
       WHERE subject = $1 AND ($3 OR operator_id = $2) RETURNING 1 AS done`,
      [subject, operator.operatorId, takeOver],
    );
    if (left.length === 0) {
      if ((await holder(tx, subject)) === null) return { subject, claim: null };
      throw await claimed(tx, subject, operator);
    }
    await review(tx, subject, null, now);
    await recordAudit(
      tx,
      operator,
      { action: 'subject.unclaim', subject },
      now,
    );
    return { subject, claim: null };
  });
}

/** `alias` null puts the reports back among those that wait. */
async function review(
  tx: Tx,
  subject: string,
  alias: string | null,
  now: number,
): Promise<void> {
  const [messageId, cardId] = columnsOf(subject);
  const changed = await tx.query(
    `UPDATE report SET claimed_by = $3, status_at = $4,
       status = CASE WHEN $3::text IS NULL THEN 'received' ELSE 'in_review' END
     WHERE (message_id = $1 OR card_id = $2)
       AND status IN ('received', 'in_review') RETURNING 1 AS done`,
    [messageId, cardId, alias, now],
  );
  if (changed.length > 0) return;
  // Presence at a subject without reports is told too.
  await tx.query(
    `INSERT INTO admin_pending (kind, payload)
     VALUES ('report', jsonb_build_object('subject', $1::text,
       'claimed_by', $2::text))`,
    [subject, alias],
  );
}

async function mustExist(tx: Tx, subject: string): Promise<void> {
  const [kind, name = ''] = subject.split(':');
  const [messageId, cardId] = columnsOf(subject);
  const [selection, n] = (cardId ?? '0-0').split('-').map(Number);
  const [row] = await tx.query<{ there: boolean }>(
    `SELECT CASE $1 WHEN 'message' THEN
         EXISTS (SELECT FROM message WHERE id = $2)
       WHEN 'poll' THEN EXISTS (SELECT FROM poll WHERE id = $3)
       ELSE EXISTS (SELECT FROM selection_card
         WHERE selection_id = $4 AND n = $5) END AS there`,
    [kind, messageId, kind === 'poll' ? Number(name) : 0, selection, n],
  );
  if (row?.there) return;
  throw new BoardError('not_found', `There is no ${subject} on this board.`);
}

async function holder(tx: Tx, subject: string): Promise<Held | null> {
  const [row] = await tx.query<{ held: Held | null }>(
    `SELECT ${CLAIM} AS held FROM (SELECT $1::text AS subject) s`,
    [subject],
  );
  return row?.held ?? null;
}

async function claimed(
  tx: Tx,
  subject: string,
  operator: Operator,
): Promise<BoardError> {
  const held = claimView(await holder(tx, subject), operator);
  return new BoardError(
    'decision_conflict',
    `${held?.operator ?? 'Another operator'} is at this item; take it over to go on.`,
    { current: held },
  );
}
