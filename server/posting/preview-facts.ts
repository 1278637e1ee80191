import type { Room } from '../../protocol/room.js';
import type { Context } from '../context.js';
import {
  assertTaken,
  type BudgetCheck,
  type CounterKeys,
  checkOf,
  networkKey,
  type Spent,
} from '../db/budgets.js';
import { type Attempt, groupedAttempts } from '../db/grouped.js';
import { type BoardError, invalid } from '../errors.js';
import { loggedPost, type Parent } from './draft.js';
import {
  lookUpPreviews,
  type PreviewAsked,
  type PreviewRow,
} from './posting.sql.js';

export type AcceptedWrite = {
  contentHash: Buffer;
  rootId: number;
  replyTo: number | null;
  room: Room;
  messageHash: Buffer;
  statement: string;
  salt: Buffer | null;
  /** JSON, as first sent. */
  receipt: string;
};

export type Target = Parent & { removed: boolean; voteSecret: Buffer };

export type PreviewFacts = {
  accepted: AcceptedWrite | null;
  target: Target | null;
  noted: boolean;
  /** In ms: until then its challenge cannot be answered. */
  lockedUntil: number | null;
  /** A message with the same body. */
  same: { id: number; rootId: number } | null;
  spent: Spent[];
};

/**
 * Counts the preview and looks up request_id and parent, grouped with
 * simultaneous ones.
 * @throws BoardError `rate_limited`
 */
export function previewFacts({
  writes,
  limits,
}: Pick<Context, 'writes' | 'limits'>) {
  const lookUp = groupedAttempts((group: readonly (Attempt & PreviewAsked)[]) =>
    lookUpPreviews(writes, group),
  );
  return async (
    counters: CounterKeys,
    reported: readonly BudgetCheck[],
    asked: PreviewAsked,
    now: number,
  ): Promise<PreviewFacts> => {
    const { row, taken } = await lookUp({
      check: checkOf('previews_per_network_hour', networkKey(counters)),
      reported,
      limits,
      now,
      ...asked,
    });
    const spent = assertTaken(taken);
    return {
      accepted: row.contentHash ? acceptedOf(row, row.contentHash) : null,
      target: row.t_id ? targetOf(row, row.t_id) : null,
      noted: row.noted,
      lockedUntil: row.locked_until,
      same: row.same_id ? { id: row.same_id, rootId: row.same_root } : null,
      spent,
    };
  };
}

function acceptedOf(row: PreviewRow, contentHash: Buffer): AcceptedWrite {
  const { rootId, replyTo, room, messageHash, salt, receipt } = row;
  const post = loggedPost(row.leaf);
  if (post === null) {
    throw new Error('the entry of an accepted message is none of a post');
  }
  // Without its signature.
  const statement = post.text;
  return {
    contentHash,
    rootId,
    replyTo,
    room,
    messageHash,
    salt,
    statement,
    receipt,
  };
}

function targetOf(row: PreviewRow, id: number): Target {
  return {
    id,
    rootId: row.t_root,
    room: row.t_room,
    messageHash: row.t_hash,
    removed: row.t_removed !== null,
    voteSecret: row.t_secret,
  };
}

/** spec/board.md §15 */
export function noSuchTarget(id: number): BoardError {
  return invalid(
    'reply_to',
    `Message ${id} does not exist here or was removed; reply to another message or open a topic.`,
  );
}
