import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import type { Outcome, PullParts } from '../../../mesh/pull/hooks.js';
import { PullLog } from '../../../mesh/pull/pull-log.js';
import {
  originSource,
  readPullPeer,
} from '../../../mesh/pull/store/peer-rows.js';
import { databaseStore } from '../../../mesh/pull/store/pull-store.js';
import { textRules } from '../../../mesh/pull/verify/text-rules.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { LIFTED } from '../../support/lifted.js';
import { type HostilePeer, peerWith } from '../support/hostile-peer.js';
import {
  type MirroredPost,
  meshBoard,
  mirrored,
} from '../support/two-boards.js';

/** A board that pulls only when a test says so. */
export type Driven = {
  b: TestBoard;
  puller(peer: HostilePeer): Promise<Puller>;
  stop(): Promise<void>;
};

/** Of one peer: what a worker throws away after a fault, a test does not. */
export type Puller = {
  originId: number;
  /** One page. It never throws, whatever the peer says. */
  round(): Promise<Outcome>;
  /** Rounds until one has nothing more, at most `most`. */
  toEnd(most?: number): Promise<Outcome>;
  end(): Promise<void>;
};

export async function driven(): Promise<Driven> {
  const b = await meshBoard('board-b.example', {
    limits: { ...LIFTED, ...LIFTED_KEYS },
    env: { ROLES: 'api' },
  });
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  const { clock, events, ledger, limits, log, writes } = b.board.context;
  const rules = textRules(limits);
  const parts: PullParts = {
    store: databaseStore({
      db: writes,
      ledger,
      client,
      textRules: rules,
      now: () => clock.now(),
      instance: 'test',
    }),
    client,
    clock,
    limits,
    textRules: rules,
    judgeAhead: async () => null,
    events,
    log,
    hooks: b.board.background.peers.witness.hooks,
    random: () => 0.5,
  };
  return {
    b,
    puller: async (peer) => await pullerOf(b, parts, peer),
    stop: async () => {
      await client.close();
      await b.stop();
    },
  };
}

async function pullerOf(
  b: TestBoard,
  parts: PullParts,
  hostile: HostilePeer,
): Promise<Puller> {
  const originId = await peerWith(b, hostile);
  const stopper = new AbortController();
  const { signal } = stopper;
  const log = new PullLog(parts, originId, signal);
  await log.open();
  const round = async () => {
    const peer = await readPullPeer(b.board.context.writes, originId);
    if (peer === null) throw new Error('no peer');
    const source = originSource(peer);
    return await log.round({
      peer,
      source,
      fromOrigin: true,
      waitMs: 0,
      signal,
    });
  };
  return {
    originId,
    round,
    toEnd: async (most = 20) => {
      let outcome = await round();
      for (let n = 1; n < most && outcome === 'grown'; n += 1) {
        outcome = await round();
      }
      return outcome;
    },
    end: async () => {
      stopper.abort();
      await log.end();
    },
  };
}

/** What a board keeps of a log, for a look at all of it. */
export async function keptOf(b: TestBoard, originId: number) {
  const { reads } = b.board.context;
  const [state] = await reads.query<{ size: number; checkpoint: string }>(
    'SELECT size, checkpoint FROM log_state WHERE origin_id = $1',
    [originId],
  );
  const rows = await reads.query<{ leaf: Buffer; fault: string | null }>(
    'SELECT leaf, fault FROM log_entry WHERE origin_id = $1 ORDER BY idx',
    [originId],
  );
  const posts: MirroredPost[] = await mirrored(b, originId);
  return {
    size: state?.size ?? -1,
    checkpoint: state?.checkpoint ?? '',
    leaves: rows.map(({ leaf }) => leaf.toString('utf8')),
    faults: rows.map(({ fault }) => fault),
    posts,
  };
}
