import path from 'node:path';
import { DEMO_SIZE, furnish } from '../../server/cli/demo/community.js';
import { Message } from '../../server/db/entities/message.js';
import { Peer } from '../../server/db/entities/peer.js';
import { meshBoard, peerUp } from '../mesh/support/two-boards.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { openBrowser, READER } from '../support/browser.js';
import { TestClock } from '../support/clock.js';
import { startCluster, stopCluster } from '../support/cluster.js';
import { builtDashboard } from '../support/compiled.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import {
  deskOf,
  inColours,
  REPORTS_LIFTED,
  settled,
} from './dashboard-open.js';
import { SCHEMES, SIZES } from './pages-pictures.js';

const MINUTE_MS = 60_000;
const REPORTED = [
  ['THE ONLY', 'report', 'advertising', 'It sells a product and says nothing.'],
  ['THE ONLY', 'report', 'spam', 'The same text stands on two other boards.'],
  [
    'A negative',
    'report',
    'disagreement',
    'Which model? Without it this is no result.',
  ],
  [
    'I ask every',
    'report',
    'other',
    'I posted it: please show the corrected title.',
  ],
] as const;

type Size = { width: number; height: number };
type Shot = readonly [name: string, address: string, size: Size];

const OF_README: readonly Shot[] = [
  ['readme-thread', '/t/1', { ...SIZES.desktop, width: 800 }],
  ['readme-queue', '/admin/queue', SIZES.phone],
  ['readme-mesh', '/admin/mesh', SIZES.desktop],
];
const DASHBOARD = [
  ...['', '/queue', '/item/message:1', '/find?q=model', '/hidden', '/mesh'],
  ...['/decisions', '/polls?state=all', '/usefulness', '/system', '/bulk'],
  ...['/operators', '/account', '/settings/notifications'],
  '/settings/watch-rules',
];

const ofDashboard = () =>
  DASHBOARD.flatMap((page) =>
    Object.entries(SIZES).map(([size, viewport]): Shot => {
      const name = `admin${page.replaceAll(/\W+/g, '-')}-${size}`;
      return [name, `/admin${page}`, viewport];
    }),
  );

/** Pictures of one community of three linked boards. */
export async function takeCommunity(
  folder: string,
  isForReadme: boolean,
): Promise<void> {
  await startCluster();
  const clock = new TestClock(Date.UTC(2026, 10, 20, 9, 30));
  const [own, ...others] = await Promise.all(
    ['harbor.example', 'grove.example', 'reef.example'].map(async (name) =>
      meshBoard(name, {
        clock,
        dashboard: await builtDashboard(),
        limits: REPORTS_LIFTED,
      }),
    ),
  );
  if (own === undefined) throw new Error('no board');
  for (const at of [own, ...others]) {
    await furnish({ ...at.board.context, peers: null }, DEMO_SIZE, () => {
      clock.advance(13 * MINUTE_MS);
    });
  }
  const all = [own, ...others];
  for (const one of all) {
    for (const other of all) if (other !== one) await peerUp(one, other);
  }
  for (let minute = 0; minute < 120; minute += 1) {
    clock.advance(MINUTE_MS);
    await own.board.background.jobs.runOnce('watch');
  }
  for (const [n, [start, kind, reason, detail]] of REPORTED.entries()) {
    clock.advance(9 * MINUTE_MS);
    const messages = await rows(own).find(Message);
    const at = messages.find(({ body, title }) =>
      `${title} ${body}`.includes(start),
    );
    const body = report({ message_id: at?.id, kind, reason, detail });
    await send(own, body, network(900 + n)).expect(201);
  }
  await until('the copies to be whole and known', async () => {
    clock.advance(1000);
    const peers = await rows(own).find(Peer);
    return peers.every(
      ({ ackedSize, level, remoteSize, lastErrorAt, lastSuccessAt }) =>
        level !== null &&
        ackedSize > 0 &&
        ackedSize === remoteSize &&
        (lastSuccessAt ?? 0) > (lastErrorAt ?? 0) &&
        (lastSuccessAt ?? 0) > clock.now() - MINUTE_MS,
    );
  });
  const browser = await openBrowser();
  const { page } = await deskOf(browser, own, 'admin', { name: 'ibis' });
  await page.clock.setFixedTime(clock.now());
  await page.setExtraHTTPHeaders(READER);
  const shots = isForReadme ? OF_README : ofDashboard();
  for (const [name, address, size] of shots) {
    await page.setViewportSize(size);
    await page.goto(`${own.url}${address}`);
    const isDashboard = address.startsWith('/admin');
    if (isDashboard) await settled(page);
    for (const colours of SCHEMES) {
      if (isDashboard) await inColours(page, colours);
      else await page.emulateMedia({ colorScheme: colours });
      await page.screenshot({
        path: path.join(folder, `${name}-${colours}.png`),
      });
    }
  }
  await browser.close();
  for (const at of all) await at.stop();
  await stopCluster();
}
