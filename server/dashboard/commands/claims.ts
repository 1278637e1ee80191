import { In, IsNull } from 'typeorm';
import { z } from 'zod';
import { SubjectClaim } from '../../db/entities/dashboard.js';
import { Message } from '../../db/entities/message.js';
import { noteEvent } from '../../db/note-event.js';
import type { Sql, Tx } from '../../db/sql.js';
import { OPEN_REPORTS } from '../../db/states.js';
import { BoardError } from '../../errors.js';
import { changeReports } from '../../moderation/index.js';
import { accountOf, command, type Operator } from '../command.js';
import { subject } from '../fields.js';
import { type ClaimRow, takeClaim } from './evidence.sql.js';
import { messageOf, noSuchSubject, reportsOn } from './subject.js';

export type Claim = { operator: string; mine: boolean; at: number };

const input = z.strictObject({
  subject,
  take_over: z
    .boolean()
    .default(false)
    .describe("Takes another operator's claim."),
});

export function claimView(
  held: ClaimRow | null,
  { operatorId }: Operator,
): Claim | null {
  if (held === null) return null;
  const mine = held.operator_id === operatorId;
  return { operator: held.operator, mine, at: held.at };
}

/**
 * Open reports become `in_review` (spec/operators.md §2.4).
 * @throws BoardError `decision_conflict` with another's claim, unless
 *   `take_over`; `forbidden` for the command line
 */
export const claim = command({
  name: 'subject.claim',
  right: 'moderator',
  summary: 'Takes a subject; its open reports are in review.',
  input,
  handle: async ({ operator, input, audit }) => {
    const { subject, take_over: takeOver } = input;
    const operatorId = accountOf(operator);
    return await audit(async (tx, now) => {
      const id = await messageOf(tx, subject);
      const exists = id && (await tx.manager.existsBy(Message, { id }));
      if (!exists) throw noSuchSubject(subject);
      if (!(await takeClaim(tx, subject, operatorId, takeOver, now))) {
        throw await claimed(tx, subject, operator);
      }
      await review(tx, subject, operator.alias, now);
      const own = { operator: operator.alias, mine: true, at: now };
      const answer = { subject, claim: own };
      return { answer, subject, after: { takeOver } };
    });
  },
});

export const unclaim = command({
  name: 'subject.unclaim',
  right: 'moderator',
  summary: 'Leaves a subject; its reports wait again.',
  input,
  handle: ({ operator, input: { subject, take_over: takeOver }, audit }) =>
    audit(async (tx, now) => {
      const answer = { subject, claim: null };
      const operatorId = operator.operatorId ?? IsNull();
      const which = takeOver ? { subject } : { subject, operatorId };
      const { affected } = await tx.manager.delete(SubjectClaim, which);
      if (affected === 0) {
        if ((await holder(tx, subject)) === null) return { answer };
        throw await claimed(tx, subject, operator);
      }
      await review(tx, subject, null, now);
      return { answer, subject };
    }),
});

/** `alias` null: back to waiting. */
async function review(
  tx: Tx,
  subject: string,
  alias: string | null,
  now: number,
): Promise<void> {
  const changed = await changeReports(
    tx,
    { ...reportsOn(subject), status: In([...OPEN_REPORTS]) },
    {
      claimedBy: alias,
      statusAt: now,
      ...(alias === null ? {} : firstClaim(now)),
      status: alias === null ? 'received' : 'in_review',
    },
  );
  if (changed > 0) return;
  await noteEvent(tx, 'report', { subject, claimed_by: alias });
}

/** Kept when the reports are taken again. */
const firstClaim = (now: number) => ({
  firstClaimedAt: () => `coalesce(first_claimed_at, ${now})`,
});

/** Null: nobody. */
export async function holder(
  { manager }: Sql,
  subject: string,
): Promise<ClaimRow | null> {
  const row = await manager
    .createQueryBuilder(SubjectClaim, 'c')
    .innerJoin('c.operator', 'o')
    .select('c.operatorId', 'operator_id')
    .addSelect('o.alias', 'operator')
    .addSelect('c.claimedAt', 'at')
    .where({ subject })
    .getRawOne<ClaimRow>();
  return row ?? null;
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
