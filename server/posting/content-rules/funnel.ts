import { toBase64 } from '../../../protocol/bytes.js';
import type { Room } from '../../../protocol/room.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { fold } from '../../search/fold.js';
import { findArchived } from '../../search/ngram-index/find-archived.js';
import { archiveState } from '../../search/ngram-index/state.js';
import { wantedKeys } from '../../search/ngram-index/wanted-keys.js';
import { collapse, WHITE_SPACE_SQL } from './white-space.js';

/** A phrase of nothing but common words is not looked for any longer. */
const TIME_MS = 2000;

/** The root that a phrase leads to. */
export type FunnelTarget = {
  phrase: string;
  id: number;
  rootId: number;
  room: Room;
  messageHash: Buffer;
};

export type Routing = {
  rule: 'funnel';
  phrase: string;
  target_id: number;
  reason: string;
};

/**
 * The earliest root, not removed, whose body holds one of the phrases that the
 * message holds, or null: then the message stays a topic (spec/board.md
 * §4.7).
 */
export async function funnelTarget(
  sql: Sql,
  phrases: readonly string[],
): Promise<FunnelTarget | null> {
  let earliest: FunnelTarget | null = null;
  for (const phrase of phrases) {
    const found = await targetOf(sql, phrase);
    if (found === null || (earliest && earliest.id <= found.id)) continue;
    earliest = found;
  }
  return earliest;
}

type TargetRow = { id: number; room: Room; message_hash: Buffer };

async function targetOf(
  sql: Sql,
  phrase: string,
): Promise<FunnelTarget | null> {
  const needle = collapse(fold(phrase));
  // What is archived between the two is found in both: the newest come first.
  const newest = await newestTarget(sql, needle);
  const row = (await archivedTarget(sql, needle)) ?? newest;
  if (row === null) return null;
  return {
    phrase,
    id: row.id,
    rootId: row.id,
    room: row.room,
    messageHash: row.message_hash,
  };
}

async function newestTarget(
  sql: Sql,
  needle: string,
): Promise<TargetRow | null> {
  // What lacks a word of it is not looked at with its white space folded.
  const [row] = await sql.query<TargetRow>(
    `SELECT m.id, m.room, m.message_hash
     FROM message_search s JOIN LATERAL (SELECT * FROM message
       WHERE id = s.message_id LIMIT 1) m ON true
     WHERE m.reply_to IS NULL AND m.removed_at IS NULL
       AND position($2 IN s.body_fold) > 0
       AND position($1 IN regexp_replace(s.body_fold, '${WHITE_SPACE_SQL}',
         ' ', 'g')) > 0
     ORDER BY s.message_id LIMIT 1`,
    [needle, longest(needle.split(' '))],
  );
  return row ?? null;
}

function longest(words: readonly string[]): string {
  return words.reduce((long, word) =>
    word.length > long.length ? word : long,
  );
}

async function archivedTarget(
  sql: Sql,
  needle: string,
): Promise<TargetRow | null> {
  const [row] = await findArchived(sql, await archiveState(sql), {
    keys: wantedKeys(...needle.split(' ')),
    below: Number.MAX_SAFE_INTEGER,
    order: 'oldest',
    limit: 1,
    until: performance.now() + TIME_MS,
    check: async (ids) => {
      const rows = await sql.query<TargetRow & { body: string }>(
        `SELECT id, room, message_hash, body FROM message
         WHERE id = ANY ($1) AND reply_to IS NULL AND removed_at IS NULL
         ORDER BY id`,
        [ids],
      );
      return rows.filter(({ body }) => collapse(fold(body)).includes(needle));
    },
  });
  return row ?? null;
}

export function routingOf(target: FunnelTarget): Routing {
  const { phrase } = target;
  return {
    rule: 'funnel',
    phrase,
    target_id: target.id,
    reason: `A topic with the phrase "${phrase}" exists already; your message becomes a reply to it and its title is dropped.`,
  };
}

/** The target is another one than at the preview (spec/board.md §12). */
export function funnelChanged(target: FunnelTarget | null): BoardError {
  const routing =
    target === null
      ? null
      : {
          ...routingOf(target),
          parent_hash: toBase64(target.messageHash),
        };
  return new BoardError(
    'funnel_thread_changed',
    'The topic this message is routed to changed since the preview; preview it again with the same request_id.',
    routing === null ? {} : { routing },
  );
}
