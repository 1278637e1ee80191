import fc from 'fast-check';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { recordFaults } from '../../faults/report.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { FULL } from '../../support/full.js';
import { chosenSeed } from '../../support/random.js';
import { commands } from './commands.js';
import { run } from './run.js';

const RUNS = FULL ? 2000 : 60;

/** Frequency limits have tests of their own; here they would only stop runs. */
const LIFTED = Object.fromEntries(
  Object.keys(LIMIT_DEFAULTS)
    .filter((name) => /_(minute|hour|day)$|open_polls_max/.test(name))
    .map((name) => [name, 1_000_000_000]),
);

describe('the board and a dumb one', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard({ limits: LIFTED });
  });

  after(async () => {
    await test.stop();
  });

  it('never differ in what they answer and show', async () => {
    const seed = chosenSeed();
    await fc.assert(
      fc.asyncProperty(commands, (list) => run(test, list)),
      { numRuns: RUNS, seed, endOnFailure: true },
    );
    await checkLedger(test);
    await recordFaults({ test: 'B12', seed, faults: RUNS });
  });
});
