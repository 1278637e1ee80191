import { expect } from 'chai';
import { Peer } from '../../server/db/entities/peer.js';
import {
  addPeer,
  type Node,
  startNode,
} from '../mesh/boards/support/linked.js';
import { TestClock } from '../support/clock.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import { type Desk, deskOf, givenDashboard, openAt } from './dashboard-open.js';

const PEER = 'grove.example';
const NOW = Date.UTC(2026, 2, 2, 10, 7, 20);
const MINUTE = 60_000;

describe('The charts of the dashboard', () => {
  const { browser, test } = givenDashboard(
    { ROLES: 'api' },
    new TestClock(NOW),
  );
  let peer: Node;
  let desk: Desk;

  before(async () => {
    peer = await startNode(PEER);
    await addPeer(test, peer);
    await publish(test, { title: 'A topic' });
    const remoteSeenAt = NOW - 90 * MINUTE;
    await rows(test).updateAll(Peer, { remoteSize: 5, remoteSeenAt });
    await test.board.background.jobs.runOnce('watch');
    test.clock.advance(MINUTE);
    await rows(test).updateAll(Peer, { remoteSize: null });
    await test.board.background.jobs.runOnce('watch');
    desk = await deskOf(browser, test, 'viewer');
  });
  after(() => peer?.stop());
  afterEach(() => expect(desk.faults).to.deep.equal([]));

  /** Opens a chart's table: newest first, without unknown ones, it is this. */
  async function showsRows(title: string, expected: string[]): Promise<void> {
    const { page } = desk;
    await page.getByText(`${title} as a table`, { exact: true }).click();
    const rows = page.locator(`.table-box[aria-label="${title}"] tbody tr`);
    let texts: string[] = [];
    const isShown = async () => {
      texts = (await rows.allTextContents()).filter(
        (text) => !text.endsWith('–'),
      );
      return JSON.stringify(texts) === JSON.stringify(expected);
    };
    // What comes by the live connection may be there before the past is.
    await until(`the rows of ${title}`, isShown).catch(() => undefined);
    expect(texts).to.deep.equal(expected);
  }

  it('show how far behind a board was before the page was opened', async () => {
    const { page } = desk;
    await openAt(desk, test, `/mesh?board=${PEER}&span=hour`);
    await page.getByText('Copies were hardly ever behind').waitFor();
    await showsRows(`Lag of ${PEER}`, [
      '2026-03-02 10:08:00 UTC0 s',
      '2026-03-02 10:07:00 UTC2 h',
    ]);
    await page.getByRole('button', { name: '30 days' }).click();
    await page.getByText('2026-03-02 00:00:00 UTC').waitFor();
    expect(new URL(page.url()).searchParams.get('span')).to.equal('month');
  });

  it('show it on the overview too, beside what stands open', async () => {
    await openAt(desk, test, '?span=day');
    await showsRows('Lag by board', ['2026-03-02 10:00:00 UTC2 h']);
    await showsRows('Open items', ['2026-03-02 10:00:00 UTC000']);
  });

  it('lists the newest posts of before the page was opened', async () => {
    await openAt(desk, test, '');
    await desk.page.getByRole('link', { name: 'A topic' }).waitFor();
  });
});
