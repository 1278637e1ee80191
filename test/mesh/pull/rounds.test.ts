import { expect } from 'chai';
import { backoffMs } from '../../../mesh/pull/backoff.js';
import { mirrorPrefix } from '../../../mesh/pull/mirror-sources.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import {
  HostilePeer,
  type Mode,
  peerWith,
  sendJson,
} from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import {
  level,
  meshBoard,
  mirrored,
  peerRow,
  peerUp,
  sizeOf,
} from '../support/two-boards.js';

const limits = { ...LIFTED, ...LIFTED_KEYS };

const answers =
  (value: unknown, status: number): Mode =>
  ({ res }) => {
    sendJson(res, value, status);
    return true;
  };
const hangUp: Mode = ({ res }) => {
  res.destroy();
  return true;
};

describe('rounds of the pull loop', () => {
  let b: TestBoard;
  let log: ScriptedLog;
  let peer: HostilePeer;
  const others: { stop(): Promise<void> }[] = [];

  beforeEach(async () => {
    b = await meshBoard('board-b.example', { limits });
    log = new ScriptedLog('board-a.example', b.clock.now() - 1000);
    peer = await HostilePeer.start(log);
    for (let n = 0; n < 3; n += 1) log.post();
  });

  afterEach(async () => {
    await b.stop();
    await peer.stop();
    for (const one of others.splice(0)) await one.stop();
  });

  async function caughtUp(originId: number): Promise<void> {
    await until(
      'the whole log',
      async () => (await sizeOf(b, originId)) === log.size,
    );
  }

  async function failedWith(originId: number, code: string): Promise<void> {
    await until(code, async () => {
      return (await peerRow(b, originId)).last_error_code === code;
    });
  }

  async function retryNow(originId: number): Promise<void> {
    await b.board.context.writes.query(
      `UPDATE peer SET retry_at = NULL WHERE origin_id = $1`,
      [originId],
    );
    await b.board.context.writes.query(`SELECT pg_notify('board_peers', '')`);
  }

  /** A page that is honest but for what the test changes. */
  const changed =
    (change: (page: ReturnType<ScriptedLog['page']>) => unknown): Mode =>
    ({ path, query, res }) => {
      if (path !== '/log/feed') return false;
      const from = Number(query.get('from'));
      sendJson(res, change(log.page(from, 256, 'all')));
      return true;
    };

  it('stores nothing of a page that does not prove itself (F7)', async () => {
    const huge = 2 ** 53;
    const lies: [string, Mode][] = [
      ['feed_corrupt', changed((page) => ({ ...page, from: 1, to: 4 }))],
      ['feed_corrupt', changed((page) => ({ ...page, to: 99 }))],
      ['feed_corrupt', changed((page) => ({ ...page, to: huge }))],
      ['feed_corrupt', changed((page) => ({ ...page, entries: [] }))],
      ['feed_corrupt', changed((page) => ({ ...page, to: 0, entries: [] }))],
      ['feed_corrupt', changed(() => ({ protocol: 'reserve-mesh/2' }))],
      ['feed_corrupt', changed(() => null)],
      [
        'feed_corrupt',
        changed((page) => ({ ...page, entries: [...page.entries].reverse() })),
      ],
      [
        'feed_corrupt',
        changed((page) => ({
          ...page,
          entries: page.entries.map(({ leaf }) => ({ leaf: `${leaf} ` })),
        })),
      ],
      [
        'bad_checkpoint',
        changed((page) => ({ ...page, origin: 'x.example/log' })),
      ],
      ['bad_checkpoint', changed((page) => ({ ...page, checkpoint: 'none' }))],
      [
        'bad_checkpoint',
        changed((page) => {
          const stranger = new ScriptedLog('board-c.example', 1);
          return { ...page, checkpoint: stranger.head() };
        }),
      ],
      ['http_500', answers({}, 500)],
      ['http_404', answers({}, 404)],
      ['redirected', answers({}, 302)],
    ];
    const originId = await peerWith(b, peer, 'mirror', { status: 'paused' });
    await b.board.context.writes.query(
      `UPDATE peer SET status = 'active' WHERE origin_id = $1`,
      [originId],
    );
    for (const [code, mode] of lies) {
      peer.mode = mode;
      await b.board.context.writes.query(
        `UPDATE peer SET last_error_code = NULL WHERE origin_id = $1`,
        [originId],
      );
      await retryNow(originId);
      await failedWith(originId, code);
      expect(await sizeOf(b, originId)).to.equal(0);
    }
    const stored = await b.board.context.reads.query(
      `SELECT FROM log_entry WHERE origin_id = $1
       UNION ALL SELECT FROM mirror_message WHERE origin_id = $1`,
      [originId],
    );
    expect(stored).to.have.length(0);
    peer.mode = () => false;
    await retryNow(originId);
    await caughtUp(originId);
    expect(await peerRow(b, originId)).to.include({
      failures: 0,
      last_error_code: null,
    });
  });

  it('backs off from 2 s, doubled, to an hour, and keeps that in the row', async () => {
    const caps = [1, 2, 3, 10, 11, 12, 99].map((n) => backoffMs(n, () => 1));
    const hour = 3_600_000;
    expect(caps).to.eql([2000, 4000, 8000, 1_024_000, 2_048_000, hour, hour]);
    expect(backoffMs(5, () => 0)).to.be.greaterThan(0);
    peer.mode = answers({}, 500);
    const originId = await peerWith(b, peer);
    await failedWith(originId, 'http_500');
    await b.restart();
    const asked = peer.feeds;
    const { retry_at: at } = await peerRow(b, originId);
    expect(at).to.be.within(b.clock.now(), b.clock.now() + 4000);
    expect(peer.feeds - asked).to.be.lessThan(2);
  });

  it('stores what is sent again, or by five peers, once (F9)', async () => {
    for (let n = 0; n < 40; n += 1) log.post();
    const originId = await peerWith(b, peer);
    await caughtUp(originId);
    const first = log.page(0, 256, 'all');
    let replays = 0;
    peer.mode = ({ path, res }) => {
      if (path !== '/log/feed' || replays >= 20) return false;
      replays += 1;
      sendJson(res, first);
      return true;
    };
    peer.wake();
    await until('20 replays', async () => {
      await retryNow(originId);
      return replays >= 20;
    });
    const again = [1, 2, 3, 4].map((n) => new ScriptedLog(`m${n}.example`, 5));
    for (const copy of again) {
      for (const leaf of log.leaves) copy.leaf(leaf);
      const other = await HostilePeer.start(copy);
      others.push(other);
      const id = await peerWith(b, other);
      await until('its log', async () => (await sizeOf(b, id)) === copy.size);
      const posts = await mirrored(b, id);
      expect(new Set(posts.map(({ fault }) => fault))).to.eql(
        new Set(['wrong_board']),
      );
    }
    const posts = await mirrored(b, originId);
    expect(posts).to.have.length(43);
    const [events] = await b.board.context.reads.query<{ n: number }>(
      'SELECT count(*) AS n FROM mirror_update',
    );
    expect(events?.n).to.equal(43);
  });

  it('stores nothing of a peer that is not confirmed and active (F16)', async () => {
    const idle = ['pending', 'paused', 'quarantined', 'blocked'] as const;
    const logs = idle.map((status) => new ScriptedLog(`${status}.example`, 5));
    for (const [at, status] of idle.entries()) {
      const one = logs[at];
      if (one === undefined) throw new Error('no log');
      one.post();
      const other = await HostilePeer.start(one);
      others.push(other);
      await peerWith(b, other, 'mirror', { status });
    }
    const keyChanged = new ScriptedLog('changed.example', 5);
    keyChanged.post();
    const other = await HostilePeer.start(keyChanged);
    others.push(other);
    const impostor = new ScriptedLog('impostor.example', 5);
    const id = await peerWith(b, other);
    other.mode = ({ path, res }) => {
      if (path !== '/log/feed') return false;
      const page = keyChanged.page(0, 256, 'all');
      sendJson(res, { ...page, checkpoint: impostor.head(0) });
      return true;
    };
    await failedWith(id, 'bad_checkpoint');
    const originId = await peerWith(b, peer);
    await caughtUp(originId);
    const rows = await b.board.context.reads.query<{ origin_id: number }>(
      'SELECT DISTINCT origin_id FROM log_entry WHERE origin_id > 0',
    );
    expect(rows.map((row) => row.origin_id)).to.eql([originId]);
    for (const one of others.slice(0, 4)) {
      expect((one as HostilePeer).feeds).to.equal(0);
    }
  });

  it('lets no bad peer slow another (F4)', async () => {
    const bad: Mode[] = [
      () => true, // never an answer
      ({ res }) => {
        res.writeHead(200);
        const timer = setInterval(() => res.write(' '), 50);
        res.once('close', () => clearInterval(timer));
        return true;
      },
      hangUp,
      answers('x'.repeat(3_000_000), 200),
    ];
    for (const [at, mode] of bad.entries()) {
      const other = await HostilePeer.start(
        new ScriptedLog(`slow${at}.example`, 5),
      );
      others.push(other);
      other.mode = mode;
      await peerWith(b, other);
    }
    const a = await meshBoard('live.example', { limits });
    others.push(a);
    const originId = await peerUp(b, a, 'mirror', { content: 'all' });
    await level(b, originId, a);
    for (let n = 0; n < 5; n += 1) {
      const { message } = await publish(a, { body: `live ${n}` });
      const sent = performance.now();
      await until('the message', async () =>
        (await mirrored(b, originId)).some(({ id }) => id === message.id),
      );
      expect(performance.now() - sent).to.be.lessThan(2000);
    }
  });

  it('reads a dead origin at a mirror that lists it', async () => {
    const originId = await peerWith(b, peer);
    await caughtUp(originId);
    const mirror = await HostilePeer.start(
      new ScriptedLog('mirror.example', 5),
    );
    others.push(mirror);
    mirror.mode = ({ path, query, res }) => {
      if (path !== `${mirrorPrefix(log.origin)}/feed`) return false;
      const from = Number(query.get('from'));
      sendJson(res, log.page(from, 2, query.get('content') ?? 'none'));
      return true;
    };
    const mirrorId = await peerWith(b, mirror);
    const document = JSON.stringify({ peers: [{ origin: log.origin }] });
    await b.board.context.writes.query(
      'UPDATE peer SET document = $2 WHERE origin_id = $1',
      [mirrorId, document],
    );
    peer.mode = hangUp;
    peer.wake();
    await failedWith(originId, 'unreachable');
    for (let n = 0; n < 5; n += 1) log.post();
    b.clock.advance(61_000);
    await b.board.context.writes.query(`SELECT pg_notify('board_peers', '')`);
    await caughtUp(originId);
    const posts = await mirrored(b, originId);
    expect(posts.every(({ status }) => status === 'ok')).to.equal(true);
    expect((await peerRow(b, originId)).failures).to.be.greaterThan(0);
  });

  it('quarantines a log that stays shorter for ten minutes', async () => {
    const originId = await peerWith(b, peer);
    await caughtUp(originId);
    peer.mode = ({ path, res }) => {
      if (path !== '/log/feed') return false;
      sendJson(res, { ...log.page(0, 2), checkpoint: log.head(2) });
      return true;
    };
    peer.wake();
    await failedWith(originId, 'rolled_back');
    expect((await peerRow(b, originId)).status).to.equal('active');
    b.clock.advance(600_001);
    await retryNow(originId);
    await until('the quarantine', async () => {
      return (await peerRow(b, originId)).status === 'quarantined';
    });
    expect(await sizeOf(b, originId)).to.equal(log.size);
  });

  it("takes a day's quota of new entries and no more", async () => {
    for (let n = 0; n < 27; n += 1) log.post();
    const paused = { status: 'paused' } as const;
    const originId = await peerWith(b, peer, 'mirror', paused);
    await b.board.context.writes.query(
      `UPDATE peer SET entries_day = 20, status = 'active'
       WHERE origin_id = $1`,
      [originId],
    );
    await failedWith(originId, 'quota');
    expect(await sizeOf(b, originId)).to.equal(20);
    const row = await peerRow(b, originId);
    expect(row.degraded_reason).to.equal('quota');
    b.clock.advance(86_400_000);
    await retryNow(originId);
    await caughtUp(originId);
  });

  it('gives a peer on probation a tenth', async () => {
    for (let n = 0; n < 27; n += 1) log.post();
    const originId = await peerWith(b, peer, 'mirror', {
      status: 'paused',
      probationUntil: b.clock.now() + 1000,
    });
    await b.board.context.writes.query(
      `UPDATE peer SET entries_day = 100, status = 'active'
       WHERE origin_id = $1`,
      [originId],
    );
    await failedWith(originId, 'quota');
    expect(await sizeOf(b, originId)).to.equal(10);
    b.clock.advance(1001);
    await retryNow(originId);
    await caughtUp(originId);
  });

  it('asks nobody twice a second who does not wait', async () => {
    peer.mode = ({ path, query, res }) => {
      const from = Number(query.get('from'));
      if (path !== '/log/feed' || from < log.size) return false;
      sendJson(res, log.page(from, 256, 'all'));
      return true;
    };
    const originId = await peerWith(b, peer);
    await caughtUp(originId);
    const before = peer.feeds;
    const started = performance.now();
    await until('three more rounds', () => peer.feeds >= before + 3);
    expect(performance.now() - started).to.be.greaterThan(1500);
  });
});
