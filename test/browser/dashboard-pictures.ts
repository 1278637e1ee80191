import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { raiseAlert } from '../../server/operations/alerts.js';
import { Browser as Caller } from '../admin/access-browser.js';
import { device, firstLink } from '../admin/access-link.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { TestClock } from '../support/clock.js';
import { startCluster, stopCluster } from '../support/cluster.js';
import { builtDashboard } from '../support/compiled.js';
import { freePort } from '../support/free-port.js';
import {
  type Desk,
  dashboardBoard,
  deskOf,
  inColours,
  REPORTS_LIFTED,
  settled,
  watchedPage,
} from './dashboard-open.js';
import { type Furnished, furnishedBoard } from './pages-furnished.js';
import { PEER } from './pages-mirrored.js';
import { SCHEMES, SIZES } from './pages-pictures.js';

const MINUTE_MS = 60_000;

type Reported = [
  key: string,
  kind: 'report' | 'appeal',
  reason: string,
  detail: string,
];

const REPORTS: readonly Reported[] = [
  ['stretch', 'report', 'spam', 'One word as long as the page, again.'],
  ['stretch', 'report', 'other', 'It hides a file name the wrong way round.'],
  ['stretch', 'report', 'spam', ''],
  [
    'rtl',
    'report',
    'dangerous_instructions',
    'The code in it deletes more than it says.',
  ],
  [
    'hidden',
    'appeal',
    'rating_visibility',
    'Three votes in one minute are no opinion.',
  ],
  ['blocks', 'report', 'disagreement', 'Point 3 is wrong.'],
  ['poll', 'report', 'advertising', 'It sells the clock of one vendor.'],
  ['spam', 'appeal', 'other', 'It was a joke.'],
];

type FurnishedDesk = Furnished & { admin: Caller };

async function furnishedDesk(clock: TestClock): Promise<FurnishedDesk> {
  const port = await freePort();
  const furnished = await furnishedBoard({
    clock,
    dashboard: await builtDashboard(),
    limits: REPORTS_LIFTED,
    env: { PORT: String(port), BASE_URL: `http://localhost:${port}` },
  });
  const { test, roots } = furnished;
  const root = (key: string) => roots.get(key) ?? 0;
  await dayBefore(test);
  for (const [n, [key, kind, reason, detail]] of REPORTS.entries()) {
    clock.advance(4 * MINUTE_MS);
    const said = detail === '' ? {} : { detail };
    const body = report({ message_id: root(key), kind, reason, ...said });
    await send(test, body, network(900 + n)).expect(201);
    await test.board.background.jobs.runOnce('watch');
  }
  const abroad = { board: PEER, message_id: furnished.foreign };
  const seen = report({ ...abroad, reason: 'advertising', detail: 'A pitch.' });
  await send(test, seen, network(890)).expect(201);
  const { cookie } = await device(test, 'admin', 'heron');
  const admin = new Caller(test, { origin: test.url });
  admin.cookie = cookie;
  const wren = await device(test, 'moderator', 'wren');
  const moderator = new Caller(test, { origin: test.url });
  moderator.cookie = wren.cookie;
  await device(test, 'viewer', 'plover');
  const done = async (caller: Caller, name: string, input: object) => {
    const answer = await caller.post(`/do/${name}`, input);
    if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
    return answer.body;
  };
  await done(moderator, 'subject.claim', { subject: `message:${root('rtl')}` });
  await done(moderator, 'decision.record', {
    action: 'keep',
    id: root('blocks'),
    reason: 'report_unfounded',
    explanation: 'To disagree is what replies are for.',
    private_note: 'The same network reports every draft.',
  });
  const weeks = [
    ['2026-10-31', '2026-11-07', 'The first week with readers.'],
    ['2026-11-07', '2026-11-14', 'A quiet week; one outage of our provider.'],
    ['2026-11-14', '2026-11-21', ''],
  ] as const;
  for (const [from, to, note] of weeks) {
    const period = { from, to, note };
    const draft = await done(moderator, 'usefulness.draft', period);
    if (note === '') continue;
    await done(admin, 'usefulness.publish', { id: draft.id });
  }
  const late = {
    kind: 'peer_degraded',
    subject: PEER,
    detail: `${PEER} showed 3 entries that do not follow from its log; its copy waits for 24 hours.`,
  } as const;
  await raiseAlert(test.board.context.writes, late, clock.now());
  for (const job of ['sweep', 'rotate_keys']) {
    await test.board.background.jobs.runOnce(job);
  }
  return { ...furnished, admin };
}

/** What the job has noted in the day before: calm, but for one outage. */
async function dayBefore({ board, clock }: TestBoard): Promise<void> {
  await board.context.writes.query(
    `INSERT INTO figure_sample (at, series, name, value)
     SELECT at, it.series, it.name, CASE it.series
         WHEN 'lag' THEN CASE WHEN ago BETWEEN 300 AND 360
           THEN (360 - ago) * 60000 WHEN ago % 17 = 0 THEN 2000 ELSE 0 END
         WHEN 'readers' THEN (ago / 60 * 7) % 11
         WHEN 'sessions' THEN minute / 9
         WHEN 'failed' THEN minute / 700
         WHEN 'refused' THEN minute / 120 + greatest(0, 3 * least(10, 330 - ago))
         WHEN 'open_reports' THEN ago / 200
         WHEN 'hidden_topics' THEN (ago < 160)::int
         ELSE 2 END
     FROM (SELECT n AS ago, $1::bigint - n * 60000 AS at,
         ($1::bigint / 60000 - n) % 1440 AS minute
       FROM generate_series(1, 1440) AS n) m,
       (VALUES ('lag', $2), ('readers', ''), ('sessions', ''), ('failed', ''),
         ('refused', ''),
         ('open_reports', ''), ('hidden_topics', ''), ('open_polls', ''))
         AS it (series, name)
     ON CONFLICT DO NOTHING`,
    [clock.now() - (clock.now() % MINUTE_MS), PEER],
  );
}

type Shot = [name: string, address: string, before?: (page: Page) => unknown];

function shotsOf({ roots, foreign }: FurnishedDesk): Shot[] {
  const item = (key: string) => `/item/message:${roots.get(key)}`;
  const preview = async (page: Page) => {
    await page.getByLabel('What to do').selectOption('remove');
    await page.getByLabel('Template', { exact: true }).selectOption('Spam');
    await page.getByLabel('how many').fill('4');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Exact public preview' }).waitFor();
    await page.evaluate('scrollTo(0, 0)');
  };
  const chosen = async (page: Page) => {
    await page.getByRole('button', { name: /loaded rows/ }).click();
    await page.getByRole('button', { name: 'Decide for all' }).click();
    await settled(page);
  };
  return [
    ['overview', ''],
    ['queue', '/queue'],
    ['item', item('stretch'), preview],
    ['mirrored', `/item/mirrored:${foreign}@${PEER}`],
    ['bulk', '/queue', chosen],
    ['find', '/find?q=which+clock'],
    ['hidden', '/hidden'],
    ['decisions', '/decisions'],
    ['polls', '/polls?state=all'],
    ['usefulness', '/usefulness'],
    ['mesh', '/mesh'],
    ['mesh-board', `/mesh?board=${PEER}`],
    ['system', '/system'],
    ['operators', '/operators'],
    ['notifications', '/settings/notifications'],
    ['watch-rules', '/settings/watch-rules'],
    ['account', '/account'],
  ];
}

async function takeAll(
  folder: string,
  { page }: Pick<Desk, 'page'>,
  url: string,
  shots: readonly Shot[],
): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const [name, address, before] of shots) {
      await page.goto(`${url}/admin${address}`);
      await settled(page);
      await before?.(page);
      for (const colours of SCHEMES) {
        await inColours(page, colours);
        const file = `admin-${name}-${size}-${colours}.png`;
        await page.screenshot({ path: path.join(folder, file) });
      }
    }
  }
}

async function takeTheDoor(folder: string, browser: Browser): Promise<void> {
  const test = await dashboardBoard({}, new TestClock(Date.now()));
  const link = new URL(await firstLink(test));
  const address = link.pathname.replace('/admin', '') + link.hash;
  const watched = await watchedPage(browser, test);
  await takeAll(folder, watched, test.url, [
    ['sign-in', ''],
    ['set-up', address],
  ]);
  await test.stop();
}

/** Writes `admin-<name>-<size>-<scheme>.png` files of every page. */
export async function takeDashboardPictures(
  folder: string,
  only: readonly string[],
): Promise<void> {
  await startCluster();
  try {
    const furnished = await furnishedDesk(
      new TestClock(Date.UTC(2026, 10, 21, 9, 30)),
    );
    const { test } = furnished;
    const browser = await openBrowser();
    const desk = await deskOf(browser, test, 'admin', { name: 'ibis' });
    // Nothing is as old as the hour of the day makes it.
    await desk.page.clock.setFixedTime(test.clock.now());
    const shots = shotsOf(furnished).filter(
      ([name]) => only.includes(name) || only.includes('all'),
    );
    await takeAll(folder, desk, test.url, shots);
    if (only.includes('all')) await takeTheDoor(folder, browser);
    await browser.close();
    await furnished.stop();
  } finally {
    await stopCluster();
  }
}
