import { Peer } from '../../../server/db/entities/peer.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { HostilePeer, type Mode, sendJson } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, peerRow, sizeOf } from '../support/two-boards.js';

export const limits = { ...LIFTED, ...LIFTED_KEYS };

/** B, and for each test a scripted board: three posts, or identity first. */
export function givenPulling(begin: 'posts' | 'identity') {
  let log: ScriptedLog;
  let peer: HostilePeer;
  let nth = 0;
  const { b } = given(async () => {
    const b = await meshBoard('board-b.example', { limits });
    return { b, stop: () => b.stop() };
  });
  const others: { stop(): Promise<void> }[] = [];
  const look = () =>
    b.board.context.writes.query(`SELECT pg_notify('board_peers', '')`);

  beforeEach(async () => {
    nth += 1;
    const at = b.clock.now() - 1000;
    log = new ScriptedLog(`board-a${nth}.example`, at);
    peer = await HostilePeer.start(log);
    if (begin === 'posts') for (let n = 0; n < 3; n += 1) log.post();
    else log.entry({ type: 'board', at, embedded: log.identity(peer.url) });
  });

  afterEach(async () => {
    await rows(b).updateAll(Peer, { status: 'blocked' });
    await look();
    for (const one of [peer, ...others.splice(0)]) await one.stop();
    const { mesh } = b.board.background.peers;
    await until('no peer is pulled', () => mesh.pulling === 0);
  });

  return {
    b,
    get log() {
      return log;
    },
    get peer() {
      return peer;
    },
    others,
    other: async (of: ScriptedLog) => {
      const other = await HostilePeer.start(of);
      others.push(other);
      return other;
    },
    set: async (originId: number, changes: Partial<Peer>) => {
      await rows(b).update(Peer, { originId }, changes);
    },
    /** Until B has the whole log, however long its last question would wait. */
    caughtUp: async (originId: number) => {
      peer.wake();
      await until(
        'the whole log',
        async () => (await sizeOf(b, originId)) === log.size,
      );
    },
    failedWith: async (originId: number, code: string) => {
      await until(
        code,
        async () => (await peerRow(b, originId)).lastErrorCode === code,
      );
    },
    retryNow: async (originId: number) => {
      await rows(b).update(Peer, { originId }, { retryAt: null });
      await look();
    },
  };
}

export const answers =
  (value: unknown, status: number): Mode =>
  ({ res }) => {
    sendJson(res, value, status);
    return true;
  };

export const hangUp: Mode = ({ res }) => {
  res.destroy();
  return true;
};

export const changed =
  (
    log: ScriptedLog,
    change: (page: ReturnType<ScriptedLog['page']>) => unknown,
  ): Mode =>
  ({ path, query, res }) => {
    if (path !== '/log/feed') return false;
    const from = Number(query.get('from'));
    sendJson(res, change(log.page(from, 256, 'all')));
    return true;
  };
