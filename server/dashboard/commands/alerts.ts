import { z } from 'zod';
import { BoardError } from '../../errors.js';
import { openAlerts, settleAlert } from '../../operations/index.js';
import { command } from '../command.js';
import { said } from '../fields.js';
import { assertSeen } from '../refusals.js';

/**
 * By an operator; noted on the trail. It stays settled while its cause says the
 * same (spec/board.md §16.24).
 * @throws BoardError `not_found` where no such alert is open; of `assertSeen`
 */
export const settle = command({
  name: 'alert.settle',
  right: 'admin',
  summary: 'Settle an alert with a note, until it says something else.',
  input: z.strictObject({
    kind: said(40).describe('Such as `equivocation`.'),
    subject: said(200).describe('What it is about, as it is shown.'),
    note: said(1000).describe('Why it is over; for other operators.'),
    seen: z.string().optional().describe('What it said when it was shown.'),
  }),
  handle: ({ input: { kind, subject, note, seen }, audit }) =>
    audit(async (tx, now) => {
      const open = (await openAlerts(tx)).find(
        (one) => one.kind === kind && one.subject === subject,
      );
      if (open) assertSeen(seen, open.detail, 'alert');
      if (open === undefined || !(await settleAlert(tx, open, now))) {
        const detail = `No alert “${kind.replaceAll('_', ' ')}” about ${subject} is open.`;
        throw new BoardError('not_found', detail);
      }
      const before = { detail: open.detail };
      const answer = { kind, subject };
      const after = { subject, note };
      return { answer, subject: `alert:${kind}`, before, after };
    }),
});
