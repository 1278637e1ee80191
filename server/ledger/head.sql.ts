// By hand (W1): the head lock, and one statement for a batch's writes.

import {
  decodeFrontier,
  encodeFrontier,
  type Frontier,
  type TreeNode,
} from '../../protocol/tree.js';
import { lockNamed } from '../db/named-lock.sql.js';
import { grownNote } from '../db/notifications.js';
import { arraysOf, type Tx } from '../db/sql.js';

export type Head = {
  board: string;
  origin: string;
  frontier: Frontier;
  lastMessageId: number;
  /** Highest `at` so far, in ms; the log's time never goes back. */
  lastAt: number;
  /** At the requested size; null without such a checkpoint. */
  rootBefore: Uint8Array | null;
  /** request_ids with a message in this batch. */
  claimed: Set<string>;
};

export type LeafRow = {
  index: number;
  type: string;
  messageId: number | null;
  agentId: string | null;
  messageHash: Uint8Array | null;
  /** Where all that the entry changes is shown, besides lists; null: anywhere. */
  rootId: number | null;
  leaf: string;
  leafHash: Uint8Array;
};

export type ReceiptRow = {
  requestId: string;
  contentHash: Uint8Array;
  messageId: number;
  receipt: string;
};

type HeadRow = {
  board: string;
  origin: string;
  size: number;
  frontier: Buffer;
  last_message_id: number;
  last_at: number;
  root_before: Buffer | null;
};

/** Of two simultaneous first starts only one makes a log. */
export async function lockGenesis(tx: Tx): Promise<void> {
  await lockNamed(tx, 'board genesis');
}

/**
 * Its holder gives ids and indexes and decides by shared state
 * (spec/operators.md §R7).
 * @param waitMs lock timeout of this transaction
 * @param before also return the root at this size
 */
export async function lockHead(
  tx: Tx,
  waitMs?: number,
  before?: number,
): Promise<Head> {
  const [row] = await tx.query<HeadRow>(
    // Rows are locked last, so set the time before.
    `SELECT board, origin, size, frontier, last_message_id, last_at,
       lock_timeout, (SELECT root FROM log_checkpoint c
         WHERE c.origin_id = 0 AND c.size = $2::bigint) AS root_before
     FROM log_state CROSS JOIN (SELECT set_config('lock_timeout',
       coalesce($1, current_setting('lock_timeout')), true) AS lock_timeout) s
     WHERE origin_id = 0 FOR UPDATE OF log_state`,
    [waitMs === undefined ? null : `${waitMs}ms`, before ?? null],
  );
  if (row === undefined) throw new Error('the board has no log yet');
  return {
    board: row.board,
    origin: row.origin,
    frontier: decodeFrontier(row.size, row.frontier),
    lastMessageId: row.last_message_id,
    lastAt: row.last_at,
    rootBefore: row.root_before,
    claimed: new Set(),
  };
}

/** Everything of a batch in one statement. */
export async function writeHead(
  tx: Tx,
  head: Head,
  checkpoint: { note: string; root: Uint8Array },
  leaves: readonly LeafRow[],
  nodes: readonly TreeNode[],
  receipts: readonly ReceiptRow[],
  instance: string,
  roots: readonly number[] | null,
): Promise<void> {
  await tx.query(
    `WITH entries AS (
       INSERT INTO log_entry (origin_id, idx, type, message_id, agent_id,
         message_hash, leaf, leaf_hash)
       SELECT 0, unnest($1::bigint[]), unnest($2::text[]),
         unnest($3::bigint[]), unnest($4::text[]), unnest($5::bytea[]),
         unnest($6::bytea[]), unnest($7::bytea[])
     ), nodes AS (
       INSERT INTO log_node (origin_id, level, idx, hash)
       SELECT 0, unnest($8::smallint[]), unnest($9::bigint[]),
         unnest($10::bytea[])
     ), receipts AS (
       INSERT INTO write_request (request_id, content_hash, message_id,
         receipt, at)
       SELECT unnest($11::uuid[]), unnest($12::bytea[]),
         unnest($13::bigint[]), unnest($14::text[]), $18::bigint
     ), checkpoints AS (
       INSERT INTO log_checkpoint (origin_id, size, root, note, at)
       VALUES (0, $15, $16, $17, $18)
     ), head AS (
       UPDATE log_state SET size = $15, frontier = $19, last_message_id = $20,
         last_at = $18, checkpoint = $17
       WHERE origin_id = 0
     )
     SELECT pg_notify('board_log', $21)`,
    [
      ...arraysOf(leaves, 'index', 'type'),
      ...arraysOf(leaves, 'messageId', 'agentId', 'messageHash'),
      leaves.map((leaf) => Buffer.from(leaf.leaf)),
      ...arraysOf(leaves, 'leafHash'),
      ...arraysOf(nodes, 'level', 'index', 'hash'),
      ...arraysOf(receipts, 'requestId', 'contentHash'),
      ...arraysOf(receipts, 'messageId', 'receipt'),
      head.frontier.size,
      Buffer.from(checkpoint.root),
      checkpoint.note,
      head.lastAt,
      Buffer.from(encodeFrontier(head.frontier)),
      head.lastMessageId,
      grownNote(
        instance,
        {
          origin: head.origin,
          size: head.frontier.size,
          root: checkpoint.root,
        },
        roots,
      ),
    ],
  );
}

type Write = (tx: Tx) => Promise<void>;

const joined = new Map<string, Map<string, string>>();

/**
 * The statements of two writes as one, sent with COMMIT. Both have the form
 * `WITH … SELECT …`, and the first selects nothing.
 */
export async function writeInOne(
  tx: Tx,
  ...writes: readonly [Write, Write]
): Promise<void> {
  const texts: string[] = [];
  const values: unknown[][] = [];
  const query: Tx['query'] = async (text, own = []) => {
    texts.push(text);
    values.push([...own]);
    return [];
  };
  for (const write of writes) await write({ ...tx, query });
  const [first = '', second = ''] = texts;
  const known = joined.get(first) ?? new Map<string, string>();
  const text =
    known.get(second) ?? inOne(first, second, values[0]?.length ?? 0);
  joined.set(first, known.set(second, text));
  tx.withCommit?.(() => tx.query(text, values.flat()));
}

function inOne(first: string, second: string, before: number): string {
  const rest = second.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + before}`);
  return `${first.replace(/ SELECT$/, '')}, ${rest.replace(/^WITH /, '')}`;
}
