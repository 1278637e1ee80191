import type { Peer } from '../../../server/db/entities/peer.js';
import { startTcpGate, type TcpGate } from '../../support/tcp-gate.js';
import { givenPulling } from '../pull/scripted-peer.js';
import { peerWith, sendJson } from '../support/hostile-peer.js';
import type { ScriptedLog } from '../support/scripted-log.js';

export function givenMoving() {
  const pulling = givenPulling('posts');
  /** Where the board also is: who connects is counted, and served. */
  let canary: TcpGate;
  let shows: Record<string, unknown>;
  let originId: number;
  let seq = 0;

  async function grows() {
    pulling.log.post();
    await pulling.caughtUp(originId);
  }

  beforeEach(async () => {
    const { b, log, peer, others } = pulling;
    canary = await startTcpGate(peer.url);
    others.push(canary);
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
    b: pulling.b,
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
    get shows() {
      return shows;
    },
    set: (changes: Partial<Peer>) => pulling.set(originId, changes),
    /** A's identity with this address and a `seq` that none had before. */
    identity: (url: string) => {
      seq += 1;
      return pulling.log.identity(url, seq);
    },
    writes: (embedded: string) => {
      const at = pulling.b.clock.now() - 1000;
      pulling.log.entry({ type: 'board', at, embedded });
    },
    round: () => pulling.b.board.background.peers.witness.round(),
    grows,
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
