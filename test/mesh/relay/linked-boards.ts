import { openMirror } from '../../../mesh/peers/peers.sql.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { nextId } from '../../../server/db/next-id.sql.js';
import type { Database } from '../../../server/db/sql.js';
import type { ServerOptions } from '../../../server/http/edge/timeouts.js';
import type { BoardKeys } from '../../../server/ledger/board-keys.js';
import type { LimitName } from '../../../server/limits.js';
import { type Agent, LIFTED_KEYS, register } from '../../support/agent.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { LIFTED } from '../../support/lifted.js';
import { randomBytes } from '../../support/random.js';

export const A = 'board-a.example';
export const B = 'board-b.example';

/** The limits that these tests are not about. */
export const FREE: Partial<Record<LimitName, number>> = {
  ...LIFTED,
  ...LIFTED_KEYS,
  mesh_relay_per_peer_minute: 1_000_000,
  mesh_relay_per_peer_hour: 1_000_000,
};

export type Linked = {
  a: TestBoard;
  b: TestBoard;
  clock: TestClock;
  stop(): Promise<void>;
};

/** The same, and an agent that is registered at B. */
export async function linkedAgent(
  options: LinkedOptions = {},
): Promise<Linked & { agent: Agent }> {
  const boards = await linkedBoards(options);
  return { ...boards, agent: await register(boards.b) };
}

export type LinkedOptions = {
  /** Of both, and of each. */
  limits?: Partial<Record<LimitName, number>>;
  limitsA?: Partial<Record<LimitName, number>>;
  limitsB?: Partial<Record<LimitName, number>>;
  envB?: Record<string, string>;
  /** How long A lets requests take. */
  timesA?: ServerOptions;
};

/** Two boards on one clock; A takes B's posts, and B mirrors A. */
export async function linkedBoards(
  options: LinkedOptions = {},
): Promise<Linked> {
  const clock = new TestClock();
  const { limits = FREE, limitsA = {}, limitsB = {}, envB = {} } = options;
  const { timesA = {} } = options;
  const a = await startNode(A, clock, { ...limits, ...limitsA }, {}, timesA);
  const b = await startNode(B, clock, { ...limits, ...limitsB }, envB);
  await addPeer(a, b);
  await addPeer(b, a);
  await mirror(b, a);
  return {
    a,
    b,
    clock,
    stop: async () => {
      await a.stop();
      await b.stop();
    },
  };
}

export async function startNode(
  name: string,
  clock: TestClock,
  limits: Partial<Record<LimitName, number>> = FREE,
  env: Record<string, string> = {},
  times: ServerOptions = {},
): Promise<TestBoard> {
  return await startBoard({
    clock,
    limits,
    times,
    env: {
      BASE_URL: `http://${name}`,
      BOARD_SEED: randomBytes(32).toString('hex'),
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
      // The outbox runs when a test calls it, and the mirror is `mirror`'s.
      ROLES: 'api',
      ...env,
    },
  });
}

/** A board as its peers know it. */
export type Known = {
  name: string;
  url: string;
  keys: Pick<BoardKeys, 'log' | 'mirror' | 'node'>;
};

/** Makes `of` know `peer` as its operator would have confirmed it. */
export async function addPeer(
  of: TestBoard,
  { board, url }: TestBoard,
): Promise<void> {
  const { keys, board: known } = board.context;
  await addKnown(of.board.context.writes, { name: known.name, url, keys });
}

/** Like `addPeer`, for a node that runs in another process. */
export async function addKnown(
  writes: Database,
  { name, url, keys }: Known,
): Promise<void> {
  await writes.transaction(async (tx) => {
    const originId = await nextId(tx, 'log_origin');
    await tx.query(
      `INSERT INTO peer (origin_id, name, origin, base_url, log_vkey,
         mirror_vkey, node_vkey, identity, identity_seq, added_at,
         confirmed_at, status, status_at, trust, content)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'none', 0, 1, 1, 'active', 1,
         'relay', 'all')`,
      [
        originId,
        name,
        keys.log.vkey.name,
        url,
        formatVkey(keys.log.vkey),
        formatVkey(keys.mirror.vkey),
        formatVkey(keys.node.vkey),
      ],
    );
    await openMirror(tx, originId);
  });
}

/** Where a peer listens now: a restart takes another port. */
export async function movePeer(
  of: TestBoard,
  name: string,
  url: string,
): Promise<void> {
  await of.board.context.writes.query(
    'UPDATE peer SET base_url = $2 WHERE name = $1',
    [name, url],
  );
}

/** A's way out of B's sight and back, and B's outbox of posts for A. */
export function outboxOf(boards: () => Linked) {
  return {
    outbox: () => boards().b.board.background.peers.relay.outbox,
    /** Where nobody listens. */
    away: () => movePeer(boards().b, A, 'http://127.0.0.1:9'),
    back: () => movePeer(boards().b, A, boards().a.url),
    stateOf: async (requestId: unknown) =>
      (await boards().b.as().get(`/api/requests/${requestId}`)).body,
  };
}

type Mirrored = {
  id: number;
  root_id: number;
  reply_to: number | null;
  room: string;
  request_id: string;
  message_hash: Buffer;
  log_index: number;
  removed: boolean;
};

/** Brings the mirror that `of` keeps of `peer` up to date, as a puller does. */
export async function mirror(of: TestBoard, peer: TestBoard): Promise<void> {
  const rows = await peer.board.context.reads.query<Mirrored>(
    `SELECT id, root_id, reply_to, room, request_id, message_hash, log_index,
       removed_at IS NOT NULL AS removed FROM message ORDER BY id`,
  );
  const { writes } = of.board.context;
  const { origin } = peer.board.context.board;
  await writes.query(
    'UPDATE log_state SET size = greatest(size, 1) WHERE origin = $1',
    [origin],
  );
  for (const row of rows) {
    await writes.query(
      `INSERT INTO mirror_message (origin_id, id, root_id, reply_to, room,
         created_at, received_at, request_id, message_hash, log_index,
         signature_status, status, content_hash, last_activity_id, removal,
         removal_at, removal_index)
       SELECT origin_id, $2, $3, $4, $5, 1, 1, $6, $7, $8, 'guest',
         CASE WHEN $9 THEN 'removed' ELSE 'bare' END, $7, $2,
         CASE WHEN $9 THEN 'spam' END, CASE WHEN $9 THEN 1 END,
         CASE WHEN $9 THEN $8::bigint END
       FROM peer WHERE origin = $1
       ON CONFLICT (origin_id, id) DO UPDATE SET status = excluded.status,
         removal = excluded.removal, removal_at = excluded.removal_at,
         removal_index = excluded.removal_index`,
      [
        origin,
        row.id,
        row.root_id,
        row.reply_to,
        row.room,
        row.request_id,
        row.message_hash,
        row.log_index,
        row.removed,
      ],
    );
  }
}
