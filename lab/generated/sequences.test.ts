import fc from 'fast-check';
import { recordFaults } from '../../test/faults/report.js';
import { BOUNDLESS } from '../../test/server/http/openapi/furnished.js';
import { descriptionOf } from '../../test/support/conforms.js';
import { FULL } from '../../test/support/full.js';
import { givenBoard } from '../../test/support/hooks.js';
import { chosenSeed } from '../../test/support/random.js';
import { Asker } from './asker.js';
import { type Command, commands, JOURNEY } from './model/commands.js';
import { run } from './model/run.js';

/** Of each of the two ways. */
const RUNS = FULL ? 1000 : 15;
/** How long a failing run is made shorter. */
const SHRINK_MS = 120_000;

describe('the board and a dumb one', () => {
  // Frequency limits have tests of their own; here they would only stop runs.
  const test = givenBoard({ limits: BOUNDLESS });

  it('never differ in what they answer and show', async () => {
    const { text } = await test.as().get('/openapi.json');
    const asker = new Asker(test.url, descriptionOf(text));
    const seed = chosenSeed();
    let failedAt = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(commands, async (list) => {
      // Enough was tried: the smallest run found so far is the one to show.
      if (performance.now() - failedAt > SHRINK_MS) return;
      await run(test, asker, list).catch((error) => {
        failedAt = Math.min(failedAt, performance.now());
        throw error;
      });
    });
    const examples: [Command[]][] = [[[...JOURNEY]]];
    await fc.assert(property, { numRuns: RUNS, seed, examples });
    await recordFaults({ test: 'B12', seed, faults: RUNS });
  });
});
