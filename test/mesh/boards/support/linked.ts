import { openMirror } from '../../../../mesh/peers/peers.sql.js';
import { formatVkey } from '../../../../protocol/vkey.js';
import { nextId } from '../../../../server/db/next-id.sql.js';
import { LIFTED_KEYS } from '../../../support/agent.js';
import {
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../../support/board.js';
import { LIFTED } from '../../../support/lifted.js';
import { randomBytes } from '../../../support/random.js';

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

type Peering = {
  trust?: 'witness' | 'proofs' | 'mirror' | 'relay';
  content?: 'signed' | 'all';
};

/** Makes `of` mirror `peer`, as its operator would have confirmed it. */
export async function addPeer(
  of: TestBoard,
  peer: Node,
  { trust = 'mirror', content = 'signed' }: Peering = {},
): Promise<number> {
  const { keys, board } = peer.board.context;
  const { context } = of.board;
  return await context.writes.transaction(async (tx) => {
    const originId = await nextId(tx, 'log_origin');
    await tx.query(
      `INSERT INTO peer (origin_id, name, origin, base_url, log_vkey,
         mirror_vkey, node_vkey, identity, identity_seq, added_at,
         confirmed_at, status, status_at, trust, content)
       VALUES ($1, $2, $3, $4, $5, $6, $7, '', 0, $8, $8, 'active', $8, $9,
         $10)`,
      [
        originId,
        peer.name,
        board.origin,
        `http://${peer.name}`,
        formatVkey(keys.log.vkey),
        formatVkey(keys.mirror.vkey),
        formatVkey(keys.node.vkey),
        context.clock.now(),
        trust,
        content,
      ],
    );
    await openMirror(tx, originId);
    return originId;
  });
}
