import { Peer } from '../../../server/db/entities/peer.js';
import { RelayOutbox } from '../../../server/db/entities/relay-outbox.js';
import type { ServerOptions } from '../../../server/http/edge/timeouts.js';
import type { LimitName } from '../../../server/limits.js';
import { type Agent, LIFTED_KEYS, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { TestClock } from '../../support/clock.js';
import { given } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { rows } from '../../support/rows.js';
import { addPeer, startNode } from '../boards/support/linked.js';
import { pull } from '../boards/support/pull.js';
import { type GateRule, startGate } from './gate.js';

export const A = 'board-a.example';
export const B = 'board-b.example';

export const FREE: Partial<Record<LimitName, number>> = {
  ...LIFTED,
  ...LIFTED_KEYS,
  mesh_relay_per_peer_minute: 1_000_000,
  mesh_relay_per_peer_hour: 1_000_000,
};

export type Linked = { a: TestBoard; b: TestBoard; clock: TestClock };

export type LinkedOptions = {
  limitsA?: Partial<Record<LimitName, number>>;
  limitsB?: Partial<Record<LimitName, number>>;
  envB?: Record<string, string>;
  timesA?: ServerOptions;
};

export async function linkedBoards(options: LinkedOptions) {
  const clock = new TestClock();
  const { limitsA, limitsB, envB = {}, timesA = {} } = options;
  const [a, b] = await Promise.all([
    startNode(A, { clock, limits: { ...FREE, ...limitsA }, times: timesA }),
    startNode(B, { clock, limits: { ...FREE, ...limitsB }, env: envB }),
  ]);
  const relays = { trust: 'relay', content: 'all' } as const;
  await addPeer(a, b, { ...relays, baseUrl: b.url });
  await addPeer(b, a, { ...relays, baseUrl: a.url });
  await pull(b, a);
  const stop = async () => {
    for (const board of [a, b]) {
      await checkLedger(board);
      await board.stop();
    }
  };
  return { a, b, clock, stop };
}

/** Each test begins with an agent at B, trust in both, nothing pending. */
export function givenLinked(options: LinkedOptions = {}) {
  const { a, b, clock } = given(() => linkedBoards(options));
  let agent: Agent;
  const set = (at: TestBoard, changes: Partial<Peer>) =>
    rows(at).updateAll(Peer, changes);
  const moved = (baseUrl: string) => set(b, { baseUrl });
  const back = () => moved(a.url);

  beforeEach(async () => {
    const well = { name: A, trust: 'relay', status: 'active' } as const;
    await set(a, { ...well, name: B });
    await set(b, { ...well, baseUrl: a.url });
    await rows(b).deleteAll(RelayOutbox);
    agent = await register(b);
  });

  return {
    ...{ a, b, clock },
    get agent() {
      return agent;
    },
    outbox: () => b.board.background.peers.relay.outbox,
    set,
    away: () => moved('http://127.0.0.1:9'),
    back,
    through: async (rule: GateRule, work: () => Promise<void>) => {
      const gate = await startGate(a.url, rule);
      try {
        await moved(gate.url);
        await work();
      } finally {
        await back();
        await gate.stop();
      }
    },
    stateOf: async (requestId: unknown) =>
      (await b.as().get(`/api/requests/${requestId}`)).body,
  };
}

/** Where a peer listens now: a restart takes another port. */
export async function movePeer(
  of: TestBoard,
  name: string,
  url: string,
): Promise<void> {
  await rows(of).update(Peer, { name }, { baseUrl: url });
}
