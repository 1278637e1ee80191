import type { Room } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { type Take, takeColumns, takenWith, windows } from '../db/budgets.js';
import { BoardError } from '../errors.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import { ownLogOf } from '../ledger/own-logs.js';
import { CountedLookup } from './counted-lookup.js';
import type { Parent } from './draft.js';
import { loggedPost } from './logged-post.js';
import type { Submission } from './submission.js';

/** The accepted message of a request_id, if there is one. */
export type AcceptedWrite = {
  contentHash: Buffer;
  messageId: number;
  rootId: number;
  replyTo: number | null;
  room: Room;
  messageHash: Buffer;
  /** As it was logged. */
  statement: string;
  salt: Buffer | null;
};

export type Target = Parent & { removed: boolean; voteSecret: Buffer };

type Row = {
  blocked: number | null;
  w_hash: Buffer | null;
  w_id: number;
  w_root: number;
  w_reply: number | null;
  w_room: Room;
  w_message_hash: Buffer;
  w_salt: Buffer | null;
  w_leaf: Buffer;
  t_id: number | null;
  t_root: number;
  t_room: Room;
  t_removed: number | null;
  t_hash: Buffer;
  t_secret: Buffer;
};

export type PreviewFacts = {
  accepted: AcceptedWrite | null;
  target: Target | null;
};

type Asked = { requestId: string | null; replyTo: number | null };

/**
 * Counts a preview of the network and finds what the board knows of a
 * request_id and of the message it replies to: one statement for all previews
 * that arrive together.
 */
export class PreviewFactsDesk {
  private readonly facts: CountedLookup<Asked, Row>;

  constructor(ctx: Pick<Context, 'writes' | 'limits'>) {
    this.facts = new CountedLookup<Asked, Row>(
      {
        limit: 'previews_per_network_hour',
        scope: 'preview',
        window: windows.hour,
      },
      (group) => askFacts(ctx, group),
    );
  }

  /** @throws BoardError `rate_limited` */
  async of(
    counters: CounterKeys,
    { requestId, replyTo }: Pick<Submission, 'requestId' | 'replyTo'>,
    now: number,
  ): Promise<PreviewFacts> {
    const row = await this.facts.of(counters, { requestId, replyTo }, now);
    return {
      accepted: row.w_hash ? acceptedOf(row, row.w_hash) : null,
      target: row.t_id ? targetOf(row, row.t_id) : null,
    };
  }
}

function askFacts(
  { writes, limits }: Pick<Context, 'writes' | 'limits'>,
  group: readonly (Asked & Take)[],
): Promise<Row[]> {
  // Side by side, each by its key: no plan may come to read a whole table.
  return writes.query<Row>(
    `WITH ${takenWith({ request_id: 'uuid', target: 'bigint' })}
     SELECT taken.blocked, w.*, t.*
     FROM taken
     LEFT JOIN LATERAL (
       SELECT r.content_hash AS w_hash, m.id AS w_id, m.root_id AS w_root,
         m.reply_to AS w_reply, m.room AS w_room,
         m.message_hash AS w_message_hash, m.salt AS w_salt, e.leaf AS w_leaf
       FROM write_request r
       LEFT JOIN message m ON m.id = r.message_id
       LEFT JOIN log_entry e ON e.origin_id = ${ownLogOf('m.id')}
         AND e.idx = m.log_index
       WHERE r.request_id = taken.request_id OFFSET 0) w ON true
     LEFT JOIN LATERAL (
       SELECT id AS t_id, root_id AS t_root, room AS t_room,
         removed_at AS t_removed, message_hash AS t_hash,
         vote_secret AS t_secret
       FROM message WHERE id = taken.target OFFSET 0) t ON true
     ORDER BY taken.ord`,
    [
      ...takeColumns(group, limits),
      group.map(({ requestId }) => requestId),
      group.map(({ replyTo }) => replyTo),
    ],
  );
}

function acceptedOf(row: Row, contentHash: Buffer): AcceptedWrite {
  return {
    contentHash,
    messageId: row.w_id,
    rootId: row.w_root,
    replyTo: row.w_reply,
    room: row.w_room,
    messageHash: row.w_message_hash,
    statement: statementIn(row.w_leaf),
    salt: row.w_salt,
  };
}

/** The statement that a post's entry embeds, without its signature. */
function statementIn(leaf: Buffer): string {
  const post = loggedPost(leaf);
  if (post !== null) return post.text;
  throw new Error('the entry of an accepted message is none of a post');
}

function targetOf(row: Row, id: number): Target {
  return {
    id,
    rootId: row.t_root,
    room: row.t_room,
    messageHash: row.t_hash,
    removed: row.t_removed !== null,
    voteSecret: row.t_secret,
  };
}

/** A reply's target that is not there, or not any more (spec/board.md §15). */
export function noSuchTarget(id: number): BoardError {
  return new BoardError(
    'invalid_input',
    `Message ${id} does not exist here or was removed; reply to another message or open a topic.`,
    { field: 'reply_to' },
  );
}
