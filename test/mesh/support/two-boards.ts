import { openMirror } from '../../../mesh/peers/peers.sql.js';
import { openIdentity } from '../../../protocol/identity.js';
import { formatVkey, type Vkey } from '../../../protocol/vkey.js';
import { LogState } from '../../../server/db/entities/log.js';
import { MirrorMessage } from '../../../server/db/entities/mirror-message.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { nextId } from '../../../server/db/next-id.sql.js';
import type { Tx } from '../../../server/db/sql.js';
import { OWN_LOG } from '../../../server/ledger/own-log.sql.js';
import {
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../support/board.js';
import { freePort } from '../../support/free-port.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { seedOf } from './scripted-log.js';

export type Trust = 'witness' | 'proofs' | 'mirror' | 'relay';

/** Other boards of the test reach it: http and private addresses are on. */
export async function meshBoard(
  name: string,
  options: TestBoardOptions = {},
): Promise<TestBoard> {
  const port = await freePort();
  return await startBoard({
    ...options,
    env: {
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      BOARD_NAME: name,
      BOARD_SEED: seedOf(name),
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
      // Other boards send no X-Forwarded-For: every network here is loopback.
      TRUST_PROXY: '',
      ...options.env,
    },
  });
}

export type PeerOptions = Partial<
  Pick<Peer, 'content' | 'decisions' | 'baseUrl' | 'probationUntil' | 'status'>
>;

export type PeerFacts = {
  name: string;
  origin: string;
  url: string;
  identity: string;
  keys: Record<'log' | 'mirror' | 'node', { vkey: Vkey }>;
};

export async function shownBy(url: string): Promise<PeerFacts> {
  const { identity } = await (await fetch(`${url}/api/mesh`)).json();
  const opened = openIdentity(identity);
  if (!opened.ok) throw new Error(`an identity: ${opened.reason}`);
  const { name, origin, keys: its } = opened.value;
  const keyed = (vkey: Vkey) => ({ vkey });
  const keys = {
    ...{ log: keyed(its.log), mirror: keyed(its.mirror) },
    node: keyed(its.node),
  };
  return { name, origin, url, identity, keys };
}

async function factsOf(of: TestBoard): Promise<PeerFacts> {
  const { keys, board } = of.board.context;
  const { identity } = await stateOf(of, OWN_LOG);
  return { ...board, url: of.url, identity, keys };
}

const stateOf = (of: TestBoard, originId: number) =>
  rows(of).findOneByOrFail(LogState, { originId });

/** Confirmed, without probation; answers the origin id. `at` pulls at once. */
export async function peerUp(
  at: TestBoard,
  of: TestBoard,
  trust: Trust = 'mirror',
  options: PeerOptions = {},
): Promise<number> {
  return await confirmed(at, await factsOf(of), trust, options);
}

export async function confirmed(
  at: TestBoard,
  facts: PeerFacts,
  trust: Trust = 'mirror',
  options: PeerOptions = {},
): Promise<number> {
  const now = at.clock.now();
  return await at.board.context.writes.transaction((tx) =>
    insertPeer(tx, facts, trust, options, now),
  );
}

export async function insertPeer(
  tx: Tx,
  facts: PeerFacts,
  trust: Trust,
  options: PeerOptions,
  now: number,
): Promise<number> {
  const { keys, url: baseUrl, name, origin, identity } = facts;
  const originId = await nextId(tx, 'log_origin');
  await tx.manager.insert(Peer, {
    ...{ originId, name, origin, identity, identitySeq: 0, trust, baseUrl },
    ...{ addedAt: now, confirmedAt: now, status: 'active', statusAt: now },
    logVkey: formatVkey(keys.log.vkey),
    mirrorVkey: formatVkey(keys.mirror.vkey),
    nodeVkey: formatVkey(keys.node.vkey),
    ...options,
  });
  await openMirror(tx, originId);
  return originId;
}

/** The size of a log as a board keeps it; -1 where it keeps none. */
export async function sizeOf(of: TestBoard, originId = OWN_LOG) {
  return (await rows(of).findOneBy(LogState, { originId }))?.size ?? -1;
}

export async function level(
  at: TestBoard,
  originId: number,
  of: TestBoard,
): Promise<void> {
  const size = await sizeOf(of);
  await until(
    `a mirror of ${size} entries`,
    async () => (await sizeOf(at, originId)) >= size,
  );
}

export const peerRow = (of: TestBoard, originId: number): Promise<Peer> =>
  rows(of).findOneByOrFail(Peer, { originId });

export const mirrored = (of: TestBoard, originId: number) =>
  rows(of).find(MirrorMessage, { where: { originId }, order: { id: 'ASC' } });
