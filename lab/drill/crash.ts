// The node of a board is killed, its data lost, and a page of docs/recover.md
// followed at once: `npm run drill:crash -- --page seed-only --times 20`. The
// board has to answer from 30 s to 180 s after its start without a gap.
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LOSSES, lossOf, remedyOf } from '../../test/mesh/recover/losses.js';
import { Scene } from '../../test/mesh/recover/scene.js';
import { drill } from './drill.js';
import { commitAndDay, seconds, writeReport } from './report.js';

const FROM_MS = 30_000;
const TO_MS = 180_000;
const EVERY_MS = 250;
const START = 'reserve-board start';

/** One board; times in ms. `gaps` are answers but 200 within the mark. */
type Trial = { ready: number; asked: number; gaps: string[] };

const { values } = parseArgs({
  options: {
    page: { type: 'string', default: 'seed-only' },
    times: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '4' },
  },
});
const { page } = values;
const commit = commitAndDay();

/** Readiness and texts in turn; `onReady` once it is ready or late. */
async function watch(
  url: string,
  started: number,
  onReady: () => void,
): Promise<Trial> {
  const trial: Trial = { ready: 0, asked: 0, gaps: [] };
  const since = () => performance.now() - started;
  for (let n = 0; since() < TO_MS; n += 1) {
    const path = n % 2 === 0 ? '/readyz' : '/api/updates?since=0';
    const at = since();
    const signal = AbortSignal.timeout(10_000);
    const status = await fetch(`${url}${path}`, { signal }).then(
      async (answer) => (await answer.text()) && answer.status,
      (error: Error) => `${error.message} ${error.cause ?? ''}`,
    );
    if (status === 200 && path === '/readyz') trial.ready ||= since();
    if (trial.ready > 0 || at >= FROM_MS) onReady();
    if (at >= FROM_MS) trial.asked += 1;
    if (at >= FROM_MS && status !== 200) {
      trial.gaps.push(`${path} ${status} at ${seconds(at)}`);
    }
    await pause(EVERY_MS);
  }
  return trial;
}

async function one(onReady: () => void): Promise<Trial> {
  const scene = await Scene.make();
  try {
    const { lost, b } = scene;
    const loss = lossOf(page);
    await loss.lose(scene);
    const lines = remedyOf(loss);
    const at = lines.lastIndexOf(START);
    await lost.follow(lines.slice(0, at), b.url);
    const started = performance.now();
    await lost.follow([START], b.url);
    const watched = watch(lost.url, started, onReady);
    await lost.follow(lines.slice(at + 1), b.url);
    await loss.after?.(scene);
    await scene.expectBack('Once it runs.');
    const trial = await watched;
    await scene.expectBack('After three minutes.');
    return trial;
  } catch (error) {
    const gaps = [`the drill: ${(error as Error).message}`];
    return { ready: 0, asked: 0, gaps };
  } finally {
    onReady();
    await scene.end();
  }
}

/** The rows of other pages stay as their last run wrote them. */
async function report(trials: readonly Trial[]): Promise<void> {
  const place = new URL('../reports/crash.md', import.meta.url);
  const text = await readFile(place, 'utf8').catch(() => '');
  const asked = trials.reduce((sum, trial) => sum + trial.asked, 0);
  const gaps = trials.filter((trial) => trial.gaps.length > 0).length;
  const ready = Math.max(...trials.map((trial) => trial.ready));
  const found = LOSSES.map(({ page: name }) => {
    const row = text.match(new RegExp(`^\\| ${name} \\|.*$`, 'm'));
    return [name, row?.[0] ?? ''] as const;
  });
  const rows = new Map(found.filter(([, row]) => row !== ''));
  const figures = [page, trials.length, seconds(ready), asked, gaps];
  rows.set(page, `| ${figures.join(' | ')} | ${commit} |`);
  const head = `# A page of recover.md, a moment after a crash

Written by \`npm run drill:crash -- --page <page> --times 20\`. The node is killed by SIGKILL, its
PostgreSQL lives on, and the commands of the page are run at once. From 30 s to 180 s after
\`reserve-board start\` the board is asked for \`/readyz\` and \`/api/updates\` in turn; every answer has
to be 200. Then it publishes, and two boards mirror that.

| page | boards | ready at the latest | requests | boards with a gap | commit |
| --- | --- | --- | --- | --- | --- |
`;
  await writeReport('crash.md', `${head}${[...rows.values()].join('\n')}\n`);
}

await drill(async () => {
  const trials: Trial[] = [];
  let left = Number(values.times);
  let turn = Promise.resolve();
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      // Boards start one after another: two cores cannot start seven in 30 s.
      const trial = await new Promise<Trial>((resolve) => {
        turn = turn.then(
          () => new Promise((onReady) => resolve(one(() => onReady()))),
        );
      });
      for (const gap of trial.gaps) console.log(gap);
      trials.push(trial);
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, worker));
  await report(trials);
  process.exitCode = trials.some(({ gaps }) => gaps.length > 0) ? 1 : 0;
});
process.exit();
