import { expect } from 'chai';
import {
  recordFaults,
  recordFigure,
  recordMissed,
} from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { LOSSES, remedyOf } from './losses.js';
import { Scene } from './scene.js';

/** Each loss so often, on a board of so many messages. */
const RUNS = Number(process.env.RECOVER_RUNS ?? 20);
const MESSAGES = Number(process.env.RECOVER_MESSAGES ?? 10_000);
/** From the end of the last command to open writes. */
const MARK_SECONDS = 60;

/** R: each page of docs/recover.md, every command of it killed before. */
if (FULL) {
  for (const [index, loss] of LOSSES.entries()) {
    const { page } = loss;
    const row = `R${index + 1}`;
    describe(`${row}: docs/recover.md, "${page}", killed and run again`, () => {
      let scene: Scene;
      const seed = chosenSeed();
      const seconds: number[] = [];

      before(async () => {
        scene = await Scene.make(MESSAGES);
        await scene.keep();
      });

      after(() => scene?.end());

      for (let run = 1; run <= RUNS; run += 1) {
        it(`brings the board back, the ${run}. time`, async () => {
          if (run > 1) await scene.putBack();
          const { lost, b } = scene;
          const random = randomOf(seed * 1000 + run);
          const known = await scene.texts();
          expect(known).to.be.at.least(MESSAGES);
          await loss.lose(scene);
          const kills = await lost.follow(remedyOf(loss), b.url, random);
          const ended = performance.now();
          await scene.writable();
          const took = (performance.now() - ended) / 1000;
          seconds.push(took);
          for (const there of await scene.textsThere(loss.isEmptied === true)) {
            expect(there).to.be.at.least(known);
          }
          await loss.after?.(scene);
          await scene.expectBack(`After ${page}, ${run}.`);
          await recordFaults({ test: `${row} ${page}`, seed, faults: kills });
        });
      }

      it(`opens writes in ${MARK_SECONDS} s`, async () => {
        expect(seconds).to.have.length(RUNS);
        const longest = Math.max(...seconds).toFixed(1);
        const figure = `${RUNS} runs at ${MESSAGES.toLocaleString('en-US')} messages; writable ${longest} s after the last command, at most`;
        await recordFigure(`${row} ${page}`, figure);
        if (Math.max(...seconds) <= MARK_SECONDS) return;
        await recordMissed(`${row} ${page}`, `writable after ${longest} s`);
      });
    });
  }
}
