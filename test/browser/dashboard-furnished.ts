import { raiseAlert } from '../../server/operations/alerts.js';
import { Browser as Caller } from '../admin/access-browser.js';
import { device } from '../admin/access-link.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import type { TestBoard } from '../support/board.js';
import type { TestClock } from '../support/clock.js';
import { builtDashboard } from '../support/compiled.js';
import { freePort } from '../support/free-port.js';
import { REPORTS_LIFTED } from './dashboard-open.js';
import { type Furnished, furnishedBoard } from './pages-furnished.js';
import { PEER } from './pages-mirrored.js';

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

export type FurnishedDesk = Furnished & { admin: Caller };

/** A board with work for its operators, some of it done. */
export async function furnishedDesk(clock: TestClock): Promise<FurnishedDesk> {
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
         WHEN 'errors' THEN minute / 120 + greatest(0, 3 * least(10, 330 - ago))
         WHEN 'open_reports' THEN ago / 200
         WHEN 'hidden_topics' THEN (ago < 160)::int
         ELSE 2 END
     FROM (SELECT n AS ago, $1::bigint - n * 60000 AS at,
         ($1::bigint / 60000 - n) % 1440 AS minute
       FROM generate_series(1, 1440) AS n) m,
       (VALUES ('lag', $2), ('readers', ''), ('sessions', ''), ('errors', ''),
         ('open_reports', ''), ('hidden_topics', ''), ('open_polls', ''))
         AS it (series, name)
     ON CONFLICT DO NOTHING`,
    [clock.now() - (clock.now() % MINUTE_MS), PEER],
  );
}
