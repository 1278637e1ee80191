import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { LivingServer } from '../../../server/db/embedded/orphans.js';
import {
  recordFaults,
  recordFigure,
  recordMissed,
} from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { LOSSES, type Loss, remedyOf } from './losses.js';
import type { LostBoard } from './lost-board.js';
import { Scene } from './scene.js';

/** Each loss so often, on a board of so many messages. */
const RUNS = Number(process.env.RECOVER_RUNS ?? 20);
const MESSAGES = Number(process.env.RECOVER_MESSAGES ?? 10_000);
/** From the end of the last command to open writes. */
const MARK_SECONDS = 60;
/** The first boards are watched beyond two looks of the guard, all with RECOVER_STEADY. */
const STEADY = Number(process.env.RECOVER_STEADY ?? 75);
const STEADY_RUNS = process.env.RECOVER_STEADY === undefined ? 1 : RUNS;

/** R: each page of docs/recover.md, every command killed before. */
if (FULL) {
  describe('docs/recover.md, killed and run again', () => {
    const seed = chosenSeed();
    const seconds = new Map<string, number[]>();
    let scene: Scene;
    let isFresh = true;

    before(async () => {
      scene = await Scene.make(MESSAGES);
      await scene.keep();
    });

    after(() => scene?.end());

    const rows = LOSSES.map((loss, index) => ({ loss, row: `R${index + 1}` }));

    for (let run = 1; run <= RUNS; run += 1) {
      for (const { loss, row } of rows) {
        it(`${row}: "${loss.page}" brings the board back, the ${run}. time`, async () => {
          if (!isFresh) await scene.putBack();
          isFresh = false;
          const random = randomOf(seed * 1000 + run);
          const { kills, took } = await brought(scene, loss, run, random);
          const test = `${row} ${loss.page}`;
          if (run <= STEADY_RUNS) {
            const asked = await answered(scene.lost);
            await scene.lost.againLater(remedyOf(loss), scene.b.url);
            await recordFigure(test, `${asked} of ${asked} answers were 200`);
          }
          await scene.expectBack(`After ${loss.page}, ${run}.`);
          seconds.set(row, [...(seconds.get(row) ?? []), took]);
          await recordFaults({ test, seed, faults: kills });
        });
      }
    }

    for (const { loss, row } of rows) {
      it(`${row}: "${loss.page}" opens writes in ${MARK_SECONDS} s`, async () => {
        const all = seconds.get(row) ?? [];
        const longest = Math.max(0, ...all);
        const test = `${row} ${loss.page}`;
        await recordFigure(
          test,
          `${all.length} runs at ${MESSAGES.toLocaleString('en-US')} messages, writable ${longest.toFixed(1)} s after the last command at most`,
        );
        if (longest > MARK_SECONDS) {
          await recordMissed(test, `writable after ${longest} s`);
        }
      });
    }
  });
}

/** Loses what the page is about, follows it, and counts what is there. */
async function brought(
  scene: Scene,
  loss: Loss,
  run: number,
  random: () => number,
) {
  const { lost, b } = scene;
  const known = await scene.texts();
  expect(known).to.be.at.least(MESSAGES);
  await loss.lose(scene);
  troubled(lost.orphans(), run, random);
  const kills = await lost.follow(remedyOf(loss), b.url, random);
  const ended = performance.now();
  await scene.writable();
  const took = (performance.now() - ended) / 1000;
  for (const there of await scene.textsThere(loss.isEmptied === true)) {
    expect(there).to.be.at.least(known);
  }
  await loss.after?.(scene);
  return { kills, took };
}

/** The old server lives, has been stopped, or dies while the page is followed. */
function troubled([old]: LivingServer[], run: number, random: () => number) {
  const send = (signal: string) =>
    // It may have been ended by the page meanwhile.
    execFile('kill', [signal, String(old?.pid)], () => {});
  if (old === undefined || run % 3 === 1) return;
  if (run % 3 === 2) send('-STOP');
  else setTimeout(() => send('-KILL'), 20_000 * random()).unref();
}

/** How many requests a board that is back was sent; each has to be answered 200. */
async function answered(lost: LostBoard): Promise<number> {
  const gaps: string[] = [];
  const until = performance.now() + STEADY * 1000;
  let asked = 0;
  for (; performance.now() < until; asked += 1) {
    const path = asked % 2 === 0 ? '/readyz' : '/api/updates?since=0';
    const { status } = await fetch(`${lost.url}${path}`);
    if (status !== 200) gaps.push(`${path} ${status}: ${lost.lastLine}`);
    await pause(250);
  }
  expect(gaps).to.deep.equal([]);
  return asked;
}
