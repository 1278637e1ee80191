import { LOSSES } from '../../../test/mesh/recover/losses.js';
import type { Row } from '../plan.js';

/** R: each page of docs/recover.md that has commands. */
export const RUNBOOK: readonly Row[] = LOSSES.map(({ page }, index) => ({
  id: `R${index + 1}`,
  what: `page "${page}" of the runbook: each command killed, then run again`,
  least: 20,
  fullOnly: true,
  tests: [`mesh/recover/kills#R${index + 1}:`],
}));
