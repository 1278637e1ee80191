import { openMirror } from '../../../mesh/peers/peers.sql.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { nextId } from '../../../server/db/next-id.sql.js';
import type { Tx } from '../../../server/db/sql.js';
import type { BoardKeys } from '../../../server/ledger/board-keys.js';
import type { LimitName } from '../../../server/limits.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import type { TestClock } from '../../support/clock.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';

export type Trust = 'witness' | 'proofs' | 'mirror' | 'relay';

export type MeshBoardOptions = {
  limits?: Partial<Record<LimitName, number>>;
  env?: Record<string, string>;
  clock?: TestClock;
  databaseUrl?: string;
};

/** Board names are lower-case; each has keys of its own. */
export function seedOf(name: string): string {
  return Buffer.from(name.padEnd(32, '.')).toString('hex');
}

/**
 * A board at its own loopback address, which other boards of the test can
 * reach: http and private addresses are allowed.
 */
export async function meshBoard(
  name: string,
  options: MeshBoardOptions = {},
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

export type PeerOptions = {
  content?: 'signed' | 'all';
  decisions?: 'annotate' | 'follow';
  /** Another address than the board's own. */
  baseUrl?: string;
  /** In ms; none when left out. */
  probationUntil?: number;
  status?: 'pending' | 'active' | 'paused' | 'quarantined' | 'blocked';
};

/** What an operator has confirmed of a board. */
export type PeerFacts = {
  name: string;
  origin: string;
  url: string;
  identity: string;
  keys: Pick<BoardKeys, 'log' | 'mirror' | 'node'>;
};

async function factsOf(of: TestBoard): Promise<PeerFacts> {
  const { context } = of.board;
  const [head] = await context.reads.query<{ identity: string }>(
    'SELECT identity FROM log_state WHERE origin_id = 0',
  );
  const { keys, board } = context;
  return { ...board, url: of.url, identity: head?.identity ?? '', keys };
}

/**
 * Makes `of` a confirmed peer of `at`, as an operator would have, without
 * probation; answers the origin id. `at` begins to pull at once.
 */
export async function peerUp(
  at: TestBoard,
  of: TestBoard,
  trust: Trust = 'mirror',
  options: PeerOptions = {},
): Promise<number> {
  return await confirmed(at, await factsOf(of), trust, options);
}

/** The same for a board that is only a script. */
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

/** The rows of a confirmed peer, in any database. */
export async function insertPeer(
  tx: Tx,
  facts: PeerFacts,
  trust: Trust,
  options: PeerOptions,
  now: number,
): Promise<number> {
  const { keys } = facts;
  const originId = await nextId(tx, 'log_origin');
  await tx.query(
    `INSERT INTO peer (origin_id, name, origin, base_url, log_vkey,
       mirror_vkey, node_vkey, identity, identity_seq, added_at,
       confirmed_at, status, status_at, trust, content, decisions,
       probation_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $9, $10, $9, $11, $12,
       $13, $14)`,
    [
      originId,
      facts.name,
      facts.origin,
      options.baseUrl ?? facts.url,
      formatVkey(keys.log.vkey),
      formatVkey(keys.mirror.vkey),
      formatVkey(keys.node.vkey),
      facts.identity,
      now,
      options.status ?? 'active',
      trust,
      options.content ?? 'signed',
      options.decisions ?? 'annotate',
      options.probationUntil ?? null,
    ],
  );
  await openMirror(tx, originId);
  return originId;
}

/** The size of a log as a board keeps it; 0 is its own. */
export async function sizeOf(test: TestBoard, originId = 0): Promise<number> {
  const [row] = await test.board.context.reads.query<{ size: number }>(
    'SELECT size FROM log_state WHERE origin_id = $1',
    [originId],
  );
  return row?.size ?? -1;
}

/** Waits until `at` has mirrored all that `of` has now. */
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

export type PeerRow = {
  status: string;
  status_reason: string | null;
  degraded_until: number | null;
  degraded_reason: string | null;
  failures: number;
  retry_at: number | null;
  last_error_code: string | null;
  invalid_entries: number;
  withheld_contents: number;
  remote_size: number | null;
  apply_ms: number[];
};

export async function peerRow(
  test: TestBoard,
  originId: number,
): Promise<PeerRow> {
  const [row] = await test.board.context.reads.query<PeerRow>(
    `SELECT status, status_reason, degraded_until, degraded_reason, failures,
       retry_at, last_error_code, invalid_entries, withheld_contents,
       remote_size, apply_ms FROM peer WHERE origin_id = $1`,
    [originId],
  );
  if (row === undefined) throw new Error(`no peer ${originId}`);
  return row;
}

export type MirroredPost = {
  id: number;
  root_id: number;
  status: string;
  fault: string | null;
  title: string | null;
  body: string | null;
  created_at: number;
  received_at: number;
  reply_count: number;
  visibility: string;
  removal: string | null;
};

/** What a board keeps of a mirrored log's posts, by id. */
export async function mirrored(
  test: TestBoard,
  originId: number,
): Promise<MirroredPost[]> {
  return await test.board.context.reads.query<MirroredPost>(
    `SELECT id, root_id, status, fault, title, body, created_at, received_at,
       reply_count, visibility, removal
     FROM mirror_message WHERE origin_id = $1 ORDER BY id`,
    [originId],
  );
}
