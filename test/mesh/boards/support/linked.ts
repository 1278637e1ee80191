import { formatVkey } from '../../../../protocol/vkey.js';
import { LIFTED_KEYS } from '../../../support/agent.js';
import {
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import { randomBytes } from '../../../support/random.js';
import {
  type PeerOptions,
  peerUp,
  type Trust,
} from '../../support/two-boards.js';
import { pull } from './pull.js';

export type Node = TestBoard & { name: string; logVkey: string };

export async function startNode(
  name: string,
  options: TestBoardOptions = {},
): Promise<Node> {
  const test = await startBoard({
    ...options,
    lifted: true,
    limits: { ...LIFTED_KEYS, ...options.limits },
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

export const A = 'board-a.example';
export const B = 'board-b.example';

type Mirroring = {
  a?: TestBoardOptions;
  b?: TestBoardOptions;
  peer?: Parameters<typeof addPeer>[2];
};

type Mirrored = { a: Node; b: Node; originId: number };

/** For a suite; the mirror is brought up to the board after `fill`. */
export function givenMirror(
  options: Mirroring,
  fill: (boards: Mirrored) => Promise<void>,
): Mirrored {
  const boards = {} as Mirrored;
  before(async () => {
    const [a, b] = await Promise.all([
      startNode(A, options.a),
      startNode(B, options.b),
    ]);
    Object.assign(boards, { a, b });
    boards.originId = await addPeer(b, a, options.peer);
    await fill(boards);
    await pull(b, a);
  });
  after(async () => {
    for (const board of [boards.a, boards.b]) {
      await checkLedger(board);
      await board.stop();
    }
  });
  return boards;
}
