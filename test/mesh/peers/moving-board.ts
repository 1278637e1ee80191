import net, { type AddressInfo } from 'node:net';
import type { Peer } from '../../../server/db/entities/peer.js';
import { givenPulling } from '../pull/scripted-peer.js';
import { peerWith, sendJson } from '../support/hostile-peer.js';
import type { ScriptedLog } from '../support/scripted-log.js';

/** Where the board also is: who connects is counted, and served. */
type Canary = { url: string; hits: number; stop(): Promise<void> };

/**
 * Board B, and for each test a scripted board A that B follows and that says
 * it has moved.
 */
export function givenMoving() {
  const pulling = givenPulling('posts');
  let canary: Canary;
  let shows: Record<string, unknown>;
  let originId: number;
  let seq = 0;

  async function grows() {
    pulling.log.post();
    await pulling.caughtUp(originId);
  }

  beforeEach(async () => {
    const { b, log, peer, others } = pulling;
    canary = await canaryBefore(peer.url);
    others.push({ stop: () => canary.stop() });
    shows = {};
    peer.mode = ({ path, res }) => {
      if (path !== '/api/mesh') return false;
      sendJson(res, documentOf(log, shows));
      return true;
    };
    originId = await peerWith(b, peer);
    await grows();
  });

  return {
    get b() {
      return pulling.b;
    },
    get log() {
      return pulling.log;
    },
    get peer() {
      return pulling.peer;
    },
    get originId() {
      return originId;
    },
    get canary() {
      return canary;
    },
    /** Members of the mesh document that A shows. */
    get shows() {
      return shows;
    },
    set: (changes: Partial<Peer>) => pulling.set(originId, changes),
    /** A's identity with this address and a `seq` that none had before. */
    identity: (url: string) => {
      seq += 1;
      return pulling.log.identity(url, seq);
    },
    /** Appends an identity to A's log. */
    writes: (embedded: string) => {
      const at = pulling.b.clock.now() - 1000;
      pulling.log.entry({ type: 'board', at, embedded });
    },
    /** One gossip round of B. */
    round: () => pulling.b.board.background.peers.witness.round(),
    /** One more post at A, until B has it. */
    grows,
    /** Ends B's back-off. */
    retry: () => pulling.retryNow(originId),
  };
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
