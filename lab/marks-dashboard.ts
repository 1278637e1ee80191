// How long operators wait, beside what they were promised: `npm run
// marks:dashboard -- [reports]`. Ends with 1 where a mark is missed.
import { keyTexts } from '../server/search/index.js';
import { begun, itemsOf, run } from '../test/admin/bulks.js';
import { Dashboard } from '../test/admin/dashboard.js';
import { done, operator, reported } from '../test/admin/operators.js';
import { reportedRows } from '../test/browser/dashboard-rows.js';
import { startBoard, type TestBoard } from '../test/support/board.js';
import { startCluster, stopCluster } from '../test/support/cluster.js';
import { until } from '../test/support/until.js';

const REPORTS = Number(process.argv[2] ?? 10_000);
const BULK = 1000;
const TRIES = 10;

function print(what: string, ms: number, mark: number): void {
  if (ms > mark) process.exitCode = 1;
  const verdict = ms > mark ? 'MISSED' : 'met';
  console.log(`${what}: ${Math.round(ms)} ms of ${mark}, ${verdict}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function measure(test: TestBoard): Promise<void> {
  const { writes } = test.board.context;
  const body = 'Buy at https://shop.example now!';
  const copy = { title: 'Clocks', name: 'Seller', body };
  const ids = await reportedRows(test, Array(REPORTS).fill(copy));
  await keyTexts(writes, () => true);
  await writes.query('ANALYZE');
  const by = await operator(test, 'moderator', 'Mo');
  const desk = await new Dashboard(test, { cookie: by.cookie }).settled();
  const alike = { subject: `message:${ids[0]}`, by: 'text' } as const;
  const work: Record<string, [mark: number, ask: () => Promise<unknown>]> = {
    [`queue of ${REPORTS}`]: [300, () => done(by.ask('queue.list', {}))],
    overview: [300, () => done(by.ask('overview.read', {}))],
    search: [300, () => done(by.ask('board.find', { q: 'shop.example' }))],
    'select all of one text': [500, () => done(by.ask('queue.select', alike))],
    'a report and its hint': [
      500,
      async () => {
        const before = desk.of('report').length;
        await reported(test, 1);
        await until('a hint', () => desk.of('report').length > before);
      },
    ],
  };
  for (const [what, [mark, ask]] of Object.entries(work)) {
    await ask();
    const times: number[] = [];
    for (let n = 0; n < TRIES; n += 1) times.push(await timed(ask));
    print(what, Math.max(...times), mark);
  }
  const bulk = await begun(by, ids.slice(0, 500));
  const items = itemsOf(ids.slice(500, BULK));
  const decisions = await timed(async () => {
    await done(by.ask('bulk.add', { bulk, items }));
    while ((await run(by, bulk)).waiting > 0);
  });
  print(`${BULK} decisions of a bulk`, decisions, 15_000);
  desk.close();
}

await startCluster();
try {
  const test = await startBoard({ lifted: true });
  await measure(test).finally(() => test.stop());
} finally {
  await stopCluster();
}
