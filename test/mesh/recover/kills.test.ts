import { expect } from 'chai';
import { recordFaults, recordMissed } from '../../faults/report.js';
import { EXACT, FULL } from '../../support/full.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { LOSSES } from './losses.js';
import { commandsOf } from './runbook.js';
import { Scene } from './scene.js';

/** Each loss so often, on a board of so many messages. */
const RUNS = Number(process.env.RECOVER_RUNS ?? 20);
const MESSAGES = Number(process.env.RECOVER_MESSAGES ?? 10_000);
/** From the end of the last command to open writes. */
const MARK_SECONDS = 60;

/** A12: each page of docs/recover.md, every command of it killed before. */
if (FULL) {
  for (const { page, lose, after: then, isEmptied } of LOSSES) {
    describe(`docs/recover.md, "${page}", killed and run again`, () => {
      let scene: Scene;
      const seed = chosenSeed();
      const random = randomOf(seed);
      const seconds: number[] = [];

      before(async () => {
        scene = await Scene.make(MESSAGES);
      });

      after(() => scene?.end());

      for (let run = 1; run <= RUNS; run += 1) {
        it(`brings the board back, the ${run}. time`, async () => {
          const { lost, b } = scene;
          const known = await scene.texts();
          await lose(scene);
          const kills = await lost.follow(commandsOf(page), b.url, random);
          const ended = performance.now();
          await scene.writable();
          const took = (performance.now() - ended) / 1000;
          seconds.push(took);
          await then?.(scene);
          await scene.expectBack(`After ${page}, ${run}.`);
          if (!isEmptied) expect(await scene.texts()).to.be.above(known);
          await recordFaults({ test: `A12 ${page}`, seed, faults: kills });
        });
      }

      it(`opens writes in ${MARK_SECONDS} s`, async () => {
        const longest = Math.max(...seconds);
        console.log(`      ${page}: writable ${longest.toFixed(1)} s after`);
        if (!EXACT) return;
        if (longest <= MARK_SECONDS) return;
        await recordMissed(`A12 ${page}`, `writable after ${longest} s`);
      });
    });
  }
}
