import net, { type AddressInfo } from 'node:net';
import type { TestBoard } from '../../support/board.js';
import { until } from '../../support/until.js';
import { HostilePeer, peerWith, sendJson } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, sizeOf } from '../support/two-boards.js';

/** Where the board also is: who connects is counted, and served. */
export type Canary = { url: string; hits: number; stop(): Promise<void> };

/** Board B, which follows a scripted board A that says it has moved. */
export type Moving = {
  b: TestBoard;
  log: ScriptedLog;
  peer: HostilePeer;
  originId: number;
  canary: Canary;
  /** Members of the mesh document that A shows. */
  shows: Record<string, unknown>;
  /** A's identity with this address and a `seq` that none had before. */
  identity(url: string): string;
  /** Appends an identity to A's log. */
  writes(identity: string): void;
  /** One gossip round of B. */
  round(): Promise<void>;
  /** One more post at A, until B has it. */
  grows(): Promise<void>;
  /** Ends B's back-off. */
  retry(): Promise<void>;
  stop(): Promise<void>;
};

export async function movingBoard(): Promise<Moving> {
  const b = await meshBoard('board-b.example');
  const at = b.clock.now() - 1000;
  const log = new ScriptedLog('board-a.example', at);
  log.post();
  const peer = await HostilePeer.start(log);
  const canary = await canaryBefore(peer.url);
  const shows: Moving['shows'] = {};
  peer.mode = ({ path, res }) => {
    if (path !== '/api/mesh') return false;
    sendJson(res, documentOf(log, shows));
    return true;
  };
  const originId = await peerWith(b, peer);
  let seq = 0;
  const scene: Moving = {
    b,
    log,
    peer,
    originId,
    canary,
    shows,
    identity: (url) => {
      seq += 1;
      return log.identity(url, seq);
    },
    writes: (embedded) => {
      log.entry({ type: 'board', at, embedded });
    },
    round: () => b.board.background.peers.witness.round(),
    grows: async () => {
      log.post();
      peer.wake();
      await until(
        'the whole log',
        async () => (await sizeOf(b, originId)) === log.size,
      );
    },
    retry: async () => {
      await b.board.context.writes.query(
        `WITH now AS (UPDATE peer SET retry_at = NULL WHERE origin_id = $1)
         SELECT pg_notify('board_peers', '')`,
        [originId],
      );
    },
    stop: async () => {
      await b.stop();
      await peer.stop();
      await canary.stop();
    },
  };
  await scene.grows();
  return scene;
}

function documentOf(log: ScriptedLog, more: object): object {
  return {
    protocol: 'reserve-mesh/1',
    log: { origin: log.origin, checkpoint: log.head() },
    peers: [],
    evidence_count: 0,
    ...more,
  };
}

async function canaryBefore(url: string): Promise<Canary> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    canary.hits += 1;
    const there = net.connect(Number(new URL(url).port), '127.0.0.1');
    for (const end of [socket, there]) {
      sockets.add(end);
      end.on('error', () => {}); // whoever stops first
      end.on('close', () => {
        socket.destroy();
        there.destroy();
      });
    }
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const canary: Canary = {
    url: `http://127.0.0.1:${port}`,
    hits: 0,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return canary;
}
