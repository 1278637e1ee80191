import { z } from 'zod';
import { LOSSES } from '../../test/mesh/recover/losses.js';
import plan from './plan.json' with { type: 'json' };

const count = z.int().nonnegative();
const row = z.strictObject({
  id: z.string(),
  what: z.string(),
  /** How many of it at least; in each profile, where that differs. */
  least: z.union([count, z.strictObject({ ci: count, full: count })]),
  note: z.string().exactOptional(),
  /** Files of `test/`; after a `#` a part of the titles that count. */
  tests: z.array(z.string()).nonempty(),
  /** Each test injects one fault and reports none. */
  counted: z.literal('tests').exactOptional(),
  /** The full profile alone runs it, and only tests of the title it names. */
  fullOnly: z.literal(true).exactOptional(),
});

export type Row = z.infer<typeof row>;

/** Tables A to I of the fault plan, and R: the pages of docs/recover.md. */
export const PLAN: readonly Row[] = [
  ...z.array(row).parse(plan),
  ...LOSSES.map(
    ({ page }, index): Row => ({
      id: `R${index + 1}`,
      what: `page "${page}" of the runbook: each command killed, then run again`,
      least: 20,
      fullOnly: true,
      tests: [`mesh/recover/kills#R${index + 1}:`],
    }),
  ),
];
