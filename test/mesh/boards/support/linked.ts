import { formatVkey } from '../../../../protocol/vkey.js';
import { LIFTED_KEYS } from '../../../support/agent.js';
import {
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../../support/board.js';
import { LIFTED } from '../../../support/lifted.js';
import { randomBytes } from '../../../support/random.js';
import {
  type PeerOptions,
  peerUp,
  type Trust,
} from '../../support/two-boards.js';

/** A board with what its peers know of it. */
export type Node = TestBoard & { name: string; logVkey: string };

/** A node of its own name and keys whose workers stand still. */
export async function startNode(
  name: string,
  options: TestBoardOptions = {},
): Promise<Node> {
  const test = await startBoard({
    ...options,
    limits: { ...LIFTED, ...LIFTED_KEYS, ...options.limits },
    env: {
      BASE_URL: `http://${name}`,
      BOARD_SEED: randomBytes(32).toString('hex'),
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
      ROLES: 'api',
      ...options.env,
    },
  });
  const logVkey = formatVkey(test.board.context.keys.log.vkey);
  // Getters of the board's must go on living.
  return Object.defineProperties(
    { name, logVkey },
    Object.getOwnPropertyDescriptors(test),
  ) as Node;
}

/** Makes `of` mirror `peer`, which is asked for nothing. */
export async function addPeer(
  of: TestBoard,
  peer: Node,
  { trust = 'mirror', ...options }: PeerOptions & { trust?: Trust } = {},
): Promise<number> {
  const baseUrl = `http://${peer.name}`;
  return await peerUp(of, peer, trust, { baseUrl, ...options });
}
