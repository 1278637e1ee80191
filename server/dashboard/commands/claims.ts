import { MoreThan } from 'typeorm';
import { z } from 'zod';
import { AdminEvent, SubjectClaim } from '../../db/entities/dashboard.js';
import { noteEvent } from '../../db/note-event.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { CLAIM_MS, reviewReports } from '../../moderation/index.js';
import { accountOf, command, type Operator } from '../command.js';
import { said, subject } from '../fields.js';
import { type ClaimRow, takeClaim } from './evidence.sql.js';
import { requireSubject } from './subject.js';

export type Claim = { operator: string; mine: boolean; at: number };

const input = z.strictObject({
  subject,
  take_over: z
    .boolean()
    .default(false)
    .describe("Takes another operator's claim."),
  seen: said(48).optional().describe('Whose it was as it was seen.'),
});

/** Null once it has lapsed. */
export function claimView(
  held: ClaimRow | null,
  { operatorId }: Operator,
  now: number,
): Claim | null {
  if (held === null || held.at <= now - CLAIM_MS) return null;
  const mine = held.operator_id === operatorId;
  return { operator: held.operator, mine, at: held.at };
}

/**
 * Open reports become `in_review` (spec/operators.md §2.4). Called again, it
 * says that its operator is still at work.
 * @throws BoardError `decision_conflict` with another's claim, unless
 *   `take_over`; `forbidden` for the command line
 */
export const claim = command({
  name: 'subject.claim',
  right: 'moderator',
  summary: 'Take a subject; its open reports are in review.',
  input,
  handle: async ({ operator, input, audit }) => {
    const { subject, take_over: takeOver, seen } = input;
    const operatorId = accountOf(operator);
    return await audit(async (tx, now) => {
      await requireSubject(tx, subject);
      const own = { operator: operator.alias, mine: true, at: now };
      const answer = { subject, claim: own };
      if (await isStillThere(tx, subject, operatorId, now)) return { answer };
      await reviewReports(tx, subject, operator.alias, now);
      const asked = { takeOver, seen };
      if (!(await takeClaim(tx, subject, operatorId, asked, now))) {
        throw await claimed(tx, subject, operator, now);
      }
      return { answer, subject, after: { takeOver } };
    });
  },
});

export const unclaim = command({
  name: 'subject.unclaim',
  right: 'moderator',
  summary: 'Leave a subject; its reports wait again.',
  input,
  handle: ({ operator, input: { subject, take_over: takeOver }, audit }) =>
    audit(async (tx, now) => {
      const answer = { subject, claim: null };
      const held = await holder(tx, subject, now);
      if (held === null) return { answer };
      if (held.operator_id !== operator.operatorId && !takeOver) {
        throw await claimed(tx, subject, operator, now);
      }
      await reviewReports(tx, subject, null, now);
      await tx.manager.delete(SubjectClaim, { subject });
      return { answer, subject };
    }),
});

/** Claims nothing: two who look need not wait for each other. */
export const openSubject = command({
  name: 'subject.open',
  right: 'moderator',
  summary: 'Show other operators that this one looks at a subject.',
  input: z.strictObject({ subject }),
  handle: async ({ ctx: { writes, clock }, operator, input: { subject } }) => {
    const now = clock.now();
    await writes.transaction(async (tx) => {
      await requireSubject(tx, subject);
      const claimed_by = (await holder(tx, subject, now))?.operator ?? null;
      const opened_by = operator.alias;
      await noteEvent(tx, 'report', { subject, claimed_by, opened_by });
    });
    return { subject };
  },
});

export type Opener = { operator: string; at: number };

/** Others who have opened it while a claim lasts. */
export async function openersOf(
  { manager }: Sql,
  subject: string,
  { alias }: Operator,
  now: number,
): Promise<Opener[]> {
  const by = "e.payload ->> 'opened_by'";
  return await manager
    .createQueryBuilder(AdminEvent, 'e')
    .select(by, 'operator')
    .addSelect('max(e.at)', 'at')
    .where({ kind: 'report', at: MoreThan(now - CLAIM_MS) })
    .andWhere("e.payload ->> 'subject' = :subject", { subject })
    .andWhere(`${by} <> :alias`, { alias })
    .groupBy(by)
    .orderBy('2', 'DESC')
    .getRawMany<Opener>();
}

/** Renews the operator's own claim; false without one. */
export async function isStillThere(
  { manager }: Tx,
  subject: string,
  operatorId: string,
  now: number,
): Promise<boolean> {
  const claimedAt = MoreThan(now - CLAIM_MS);
  const own = { subject, operatorId, claimedAt };
  const renewed = { claimedAt: now };
  return (await manager.update(SubjectClaim, own, renewed)).affected !== 0;
}

/** Null: nobody. */
export async function holder(
  { manager }: Sql,
  subject: string,
  now: number,
): Promise<ClaimRow | null> {
  const row = await manager
    .createQueryBuilder(SubjectClaim, 'c')
    .innerJoin('c.operator', 'o')
    .select('c.operatorId', 'operator_id')
    .addSelect('o.alias', 'operator')
    .addSelect('c.claimedAt', 'at')
    .where({ subject, claimedAt: MoreThan(now - CLAIM_MS) })
    .getRawOne<ClaimRow>();
  return row ?? null;
}

async function claimed(
  tx: Tx,
  subject: string,
  operator: Operator,
  now: number,
): Promise<BoardError> {
  const held = claimView(await holder(tx, subject, now), operator, now);
  const detail = `${held?.operator ?? 'Another operator'} is at this item; take it over to go on.`;
  return new BoardError('decision_conflict', detail, { current: held });
}
