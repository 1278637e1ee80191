import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import type {
  Outcome,
  PullClient,
  PullHooks,
} from '../../../mesh/pull/hooks.js';
import { PullLog } from '../../../mesh/pull/pull-log.js';
import {
  originSource,
  readPullPeer,
} from '../../../mesh/pull/store/peer-rows.js';
import { databaseStore } from '../../../mesh/pull/store/pull-store.js';
import { textRules } from '../../../mesh/pull/verify/text-rules.js';
import { LogEntry, LogState } from '../../../server/db/entities/log.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { rows } from '../../support/rows.js';
import { type HostilePeer, peerWith } from './hostile-peer.js';
import { meshBoard, mirrored } from './two-boards.js';

export type Puller = ReturnType<typeof pullerOf> & { originId: number };

export async function driven() {
  const b = await meshBoard('board-b.example', {
    lifted: true,
    limits: LIFTED_KEYS,
    env: { ROLES: 'api' },
  });
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  return {
    b,
    puller: async (peer: HostilePeer): Promise<Puller> => {
      const originId = await peerWith(b, peer);
      const { hooks } = b.board.background.peers.witness;
      return { originId, ...pullerOf(b, originId, client, hooks) };
    },
    stop: async () => {
      await client.close();
      await b.stop();
    },
  };
}

const NO_HOOKS: PullHooks = {
  afterPage: async () => {},
  onFork: async () => 'feed_corrupt',
  onIdentity: async () => {},
};

/** Of one peer: what a worker throws away after a fault, a test does not. */
export function pullerOf(
  { board }: TestBoard,
  originId: number,
  client: PullClient,
  hooks = NO_HOOKS,
) {
  const { clock, events, ledger, limits, log, writes } = board.context;
  const rules = { textRules: textRules(limits), client };
  const now = () => clock.now();
  const kept = { ...rules, db: writes, ledger, limits };
  const store = { ...kept, now, instance: 'test' };
  const stopper = new AbortController();
  const { signal } = stopper;
  const pulled = new PullLog(
    {
      ...{ ...rules, clock, events, limits, log, hooks, random: () => 0.5 },
      store: databaseStore(store),
      judgeAhead: async () => null,
    },
    originId,
    signal,
  );
  /** One page. It never throws, whatever the peer says. */
  const round = async (): Promise<Outcome> => {
    await pulled.open();
    const peer = await readPullPeer(writes, originId);
    if (peer === null) throw new Error('no peer');
    const asks = { source: originSource(peer), fromOrigin: true, waitMs: 0 };
    return await pulled.round({ ...asks, peer, signal });
  };
  return {
    round,
    /** Rounds until one has nothing more, at most `most`. */
    toEnd: async (most = 20): Promise<Outcome> => {
      let outcome = await round();
      for (let n = 1; n < most && outcome === 'grown'; n += 1) {
        outcome = await round();
      }
      return outcome;
    },
    end: async () => {
      stopper.abort();
      await pulled.end();
    },
  };
}

export async function keptOf(b: TestBoard, originId: number) {
  const state = await rows(b).findOneBy(LogState, { originId });
  const order = { idx: 'ASC' } as const;
  const entries = await rows(b).find(LogEntry, { where: { originId }, order });
  return {
    size: state?.size ?? -1,
    checkpoint: state?.checkpoint ?? '',
    leaves: entries.map(({ leaf }) => leaf.toString('utf8')),
    faults: entries.map(({ fault }) => fault),
    posts: await mirrored(b, originId),
  };
}
