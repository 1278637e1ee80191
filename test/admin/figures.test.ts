import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type {
  Chart,
  LagChart,
} from '../../server/dashboard/commands/charts.js';
import type { Overview } from '../../server/dashboard/commands/overview.js';
import { Peer } from '../../server/db/entities/peer.js';
import { addPeer, startNode } from '../mesh/boards/support/linked.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { TestClock } from '../support/clock.js';
import { given, givenEachBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { done, operator, type SignedInOperator } from './operators.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PEER = 'grove.example';
/** Whole minutes and quarters are easy to see from here. */
const START = Date.UTC(2026, 2, 2, 10, 0, 20);

describe('the history of figures', () => {
  // Nothing is asked of it: it stands for its keys.
  const { peer } = given(async () => {
    const peer = await startNode(PEER);
    return { peer, stop: () => peer.stop() };
  });
  const test = givenEachBoard(() => ({
    clock: new TestClock(START),
    lifted: true,
    env: { ROLES: 'api' },
  }));
  let viewer: SignedInOperator;

  beforeEach(() => addPeer(test, peer));

  /** As if a head of so many entries had been seen then. */
  async function behind(seenAt: number | null): Promise<void> {
    const remoteSize = seenAt === null ? null : 10;
    await rows(test).updateAll(Peer, { remoteSize, remoteSeenAt: seenAt });
  }
  async function look(): Promise<void> {
    await test.board.background.jobs.runOnce('watch');
    // A session ends after a day without a word.
    viewer = await operator(test, 'viewer');
  }
  const lag = (span: 'hour' | 'day' | 'month') =>
    done<LagChart>(viewer.ask('history.lag', { span }));
  const chart = async (span: 'hour' | 'day' | 'month') =>
    (await done<Chart>(viewer.ask('overview.chart', { span }))).series;
  const listed = (more: object = {}) =>
    done<CommandAnswers['history.list']>(
      viewer.ask('history.list', { series: 'lag', ...more } as never),
    );

  it('keeps how far behind each board is, a minute after another', async () => {
    await look();
    test.clock.advance(MINUTE);
    await behind(test.clock.now() - 7000);
    await look();
    test.clock.advance(30_000);
    await behind(test.clock.now() - 5000);
    await look();
    const { at, boards } = await lag('hour');
    expect(at).to.have.length(60);
    expect(Object.keys(boards)).to.deep.equal([PEER]);
    // Two looks at one minute: the higher one stays.
    expect(boards[PEER]?.slice(-3)).to.deep.equal([null, 0, 7000]);
    expect((await lag('day')).boards[PEER]?.at(-1)).to.equal(7000);
    expect((await lag('month')).boards[PEER]?.at(-1)).to.equal(7000);
  });

  it('leaves out boards that nobody follows', async () => {
    for (const status of ['pending', 'blocked'] as const) {
      await rows(test).updateAll(Peer, { status });
      await look();
      test.clock.advance(MINUTE);
      expect((await listed()).data).to.deep.equal([]);
    }
    const overview = await done<Overview>(viewer.ask('overview.read', {}));
    const peersIn = ({ first }: Overview) =>
      first.filter(({ page }) => page === 'mesh');
    expect(peersIn(overview)).to.deep.equal([]);
    await behind(test.clock.now() - HOUR);
    await rows(test).updateAll(Peer, { status: 'active' });
    const late = await done<Overview>(viewer.ask('overview.read', {}));
    expect(peersIn(late)).to.deep.equal([
      { what: 'peers', count: 1, page: 'mesh' },
    ]);
  });

  it('draws what is a day old together, and forgets it after 30 days', async () => {
    for (const seconds of [9, 4, 6]) {
      await behind(test.clock.now() - seconds * 1000);
      await look();
      test.clock.advance(5 * MINUTE);
    }
    const first = START - (START % MINUTE);
    const kept = async () => (await listed()).data.map(({ at }) => at);
    expect(await kept()).to.deep.equal([
      first,
      first + 5 * MINUTE,
      first + 10 * MINUTE,
    ]);
    test.clock.advance(DAY + HOUR);
    await behind(null);
    await look();
    const { data } = await listed({ to: first + DAY });
    expect(data).to.deep.equal([{ at: first, name: PEER, value: 9000 }]);
    test.clock.advance(MINUTE);
    await look();
    expect((await listed({ to: first + DAY })).data).to.deep.equal(data);
    test.clock.advance(29 * DAY);
    await look();
    expect((await listed({ to: first + DAY })).data).to.deep.equal([]);
  });

  it('is read in pages, by board and by time', async () => {
    for (let n = 0; n < 5; n += 1) {
      await look();
      test.clock.advance(MINUTE);
    }
    const first = START - (START % MINUTE);
    const seen: number[] = [];
    let after: CommandAnswers['history.list']['next'] = null;
    do {
      const page: CommandAnswers['history.list'] = await listed({
        limit: 2,
        ...(after === null ? {} : { after }),
      });
      seen.push(...page.data.map(({ at }) => (at - first) / MINUTE));
      after = page.next;
    } while (after !== null);
    expect(seen).to.deep.equal([0, 1, 2, 3, 4]);
    const range = { from: first + MINUTE, to: first + 3 * MINUTE };
    expect((await listed(range)).data).to.have.length(2);
    expect((await listed({ name: PEER })).data).to.have.length(5);
    expect((await listed({ name: 'elsewhere' })).data).to.deep.equal([]);
  });

  it('refuses what is no range, page or series', async () => {
    await look();
    for (const input of [
      {},
      { series: 'secrets' },
      { series: 'lag', from: -1 },
      { series: 'lag', to: 1.5 },
      { series: 'lag', limit: 1001 },
      { series: 'lag', limit: 0 },
      { series: 'lag', after: { at: 1 } },
      { series: 'lag', name: '\0' },
      { series: 'lag', after: { at: 1, name: '\ud800' } },
      { series: 'lag', more: true },
    ]) {
      const answer = await viewer.ask('history.list', input as never);
      expect(answer.status, JSON.stringify(input)).to.equal(400);
    }
    const long = { series: 'lag', name: 'x'.repeat(301) } as const;
    expect((await viewer.ask('history.list', long)).status).to.equal(422);
    for (const name of ["'; DROP TABLE figure_sample; --", '%', '__proto__']) {
      expect((await listed({ name })).data).to.deep.equal([]);
    }
  });

  it('charts what stands and what comes within a day', async () => {
    await publish(test, { title: 'A topic' });
    await look();
    const failed = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        await test.as().get('/api/threads/99').expect(404);
      }
    };
    await failed(2);
    await send(test, report()).expect(201);
    test.clock.advance(MINUTE);
    await look();
    await failed(3);
    test.clock.advance(MINUTE);
    await look();
    const hour = await chart('hour');
    expect(hour.refused?.slice(-3)).to.deep.equal([0, 2, 3]);
    expect(hour.failed?.at(-1)).to.equal(0);
    expect(hour.open_reports?.slice(-4)).to.deep.equal([null, 0, 1, 1]);
    expect(hour.hidden_topics?.at(-1)).to.equal(0);
    expect(hour.open_polls?.at(-1)).to.equal(0);
    expect(hour.readers?.at(-1)).to.equal(0);
    expect((await chart('day')).refused?.at(-1)).to.equal(5);
    expect((await chart('month')).refused?.at(-1)).to.equal(5);
    // A new day begins at nothing, and is no step down.
    test.clock.advance(14 * HOUR);
    await failed(1);
    await look();
    expect((await chart('hour')).refused?.at(-1)).to.equal(1);
  });
});
