// How long operators wait, beside what they were promised: `npm run
// marks:dashboard -- [reports]`. Ends with 1 where a mark is missed.
import { keyTexts } from '../server/search/index.js';
import { begun, itemsOf, run } from '../test/admin/bulks.js';
import { Dashboard } from '../test/admin/dashboard.js';
import { done, operator, reported } from '../test/admin/operators.js';
import { startBoard, type TestBoard } from '../test/support/board.js';
import { startCluster, stopCluster } from '../test/support/cluster.js';
import { publish } from '../test/support/post.js';
import { until } from '../test/support/until.js';

const REPORTS = Number(process.argv[2] ?? 10_000);
const BULK = 1000;
const TRIES = 10;

/** Messages of one text that are all reported; their log entries are made up. */
async function fill({ writes }: TestBoard['board']['context']): Promise<void> {
  await writes.query(
    `INSERT INTO message (id, root_id, reply_to, room, author, body, salt,
       created_at, request_id, message_hash, log_index, vote_secret,
       last_activity_id)
     SELECT n, 1, 1, 'lobby', 'Seller', 'Buy at https://shop.example now!',
       '\\x00', 1, gen_random_uuid(), decode(md5(n::text), 'hex'),
       1000000 + n, '\\x00', n
     FROM generate_series(100, 99 + $1::integer) n`,
    [REPORTS],
  );
  await writes.query(
    `INSERT INTO report (request_id, content_hash, kind, reason, message_id,
       created_at, status_at)
     SELECT gen_random_uuid(), '\\x00', 'report', 'spam', n, n / 7, 1
     FROM generate_series(100, 99 + $1::integer) n`,
    [REPORTS],
  );
  await keyTexts(writes, () => true);
  await writes.query('ANALYZE');
}

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
  const by = await operator(test, 'moderator', 'Mo');
  const desk = await new Dashboard(test, { cookie: by.cookie }).settled();
  const alike = { subject: 'message:100', by: 'text' } as const;
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
  const ids = Array.from({ length: BULK }, (_, n) => 100 + n);
  const bulk = await begun(by, ids.slice(0, 500));
  const items = itemsOf(ids.slice(500));
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
  await publish(test, { title: 'A topic' });
  await fill(test.board.context);
  await measure(test).finally(() => test.stop());
} finally {
  await stopCluster();
}
