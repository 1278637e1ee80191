import { LIFTED_KEYS } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { LIFTED } from '../../support/lifted.js';
import { until } from '../../support/until.js';
import { HostilePeer, type Mode, sendJson } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, peerRow, sizeOf } from '../support/two-boards.js';

export const limits = { ...LIFTED, ...LIFTED_KEYS };

/** Board B, a scripted board A that it can pull, and what to wait for. */
export type Pulling = {
  b: TestBoard;
  log: ScriptedLog;
  peer: HostilePeer;
  /** Whatever else has to stop with them. */
  others: { stop(): Promise<void> }[];
  /** Until B has the whole log, however long its last question would wait. */
  caughtUp(originId: number): Promise<void>;
  failedWith(originId: number, code: string): Promise<void>;
  /** Ends the back-off. */
  retryNow(originId: number): Promise<void>;
  stop(): Promise<void>;
};

async function pulling(): Promise<Pulling> {
  const b = await meshBoard('board-b.example', { limits });
  const log = new ScriptedLog('board-a.example', b.clock.now() - 1000);
  const peer = await HostilePeer.start(log);
  const others: Pulling['others'] = [];
  return {
    b,
    log,
    peer,
    others,
    caughtUp: async (originId) => {
      peer.wake();
      await until(
        'the whole log',
        async () => (await sizeOf(b, originId)) === log.size,
      );
    },
    failedWith: async (originId, code) => {
      await until(
        code,
        async () => (await peerRow(b, originId)).last_error_code === code,
      );
    },
    retryNow: async (originId) => {
      const { writes } = b.board.context;
      await writes.query(
        'UPDATE peer SET retry_at = NULL WHERE origin_id = $1',
        [originId],
      );
      await writes.query(`SELECT pg_notify('board_peers', '')`);
    },
    stop: async () => {
      await b.stop();
      await peer.stop();
      for (const one of others) await one.stop();
    },
  };
}

/** Its log begins with the board's identity. */
export async function pullingIdentified(): Promise<Pulling> {
  const scene = await pulling();
  const { b, log, peer } = scene;
  log.entry({
    type: 'board',
    at: b.clock.now() - 1000,
    embedded: log.identity(peer.url),
  });
  return scene;
}

/** Its log begins with three posts. */
export async function pullingPosts(): Promise<Pulling> {
  const scene = await pulling();
  for (let n = 0; n < 3; n += 1) scene.log.post();
  return scene;
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

/** A page of the log that is honest but for what the test changes. */
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
