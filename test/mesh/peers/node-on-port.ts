import { formatVkey } from '../../../protocol/vkey.js';
import type { PeerTrust } from '../../../server/db/states.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import {
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../support/board.js';
import { freePort } from '../../support/free-port.js';
import { randomBytes } from '../../support/random.js';

export async function nodeOnPort(
  options: TestBoardOptions = {},
): Promise<TestBoard> {
  const port = await freePort();
  return await startBoard({
    ...options,
    lifted: true,
    limits: { ...LIFTED_KEYS, ...options.limits },
    env: {
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      BOARD_SEED: randomBytes(32).toString('hex'),
      // Boards reach each other without a proxy in between.
      TRUST_PROXY: '',
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
      ...options.env,
    },
  });
}

/** Its mesh runs, without jobs. */
export async function meshing() {
  const node = await nodeOnPort({ env: { ROLES: 'api' } });
  node.board.background.peers.mesh.start();
  return { node, stop: () => node.stop() };
}

export const twoNodes =
  (ofA: TestBoardOptions = {}, ofB: TestBoardOptions = {}) =>
  async () => {
    const [a, b] = await Promise.all([nodeOnPort(ofA), nodeOnPort(ofB)]);
    const stop = async () => {
      await a.stop();
      await b.stop();
    };
    return { a, b, stop };
  };

export async function threeNodes() {
  const [a, b, c] = [
    await nodeOnPort(),
    await nodeOnPort(),
    await nodeOnPort(),
  ];
  const stop = async () => {
    for (const node of [a, b, c]) await node.stop();
  };
  return { a, b, c, stop };
}

export function logVkeyOf({ board }: TestBoard): string {
  return formatVkey(board.context.keys.log.vkey);
}

/** `of`'s operator adds and confirms `peer`; answers its board name. */
export async function befriend(
  of: TestBoard,
  peer: TestBoard,
  trust: PeerTrust = 'mirror',
): Promise<string> {
  const { name } = await of.board.peerAdmin.add(peer.url, {
    confirm: logVkeyOf(peer),
    trust,
    content: 'all',
  });
  return name;
}
