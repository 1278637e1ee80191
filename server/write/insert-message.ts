import { randomBytes } from 'node:crypto';
import type { Spend } from '../budgets.js';
import type { Turn } from '../ledger/turn.js';
import { fold } from '../text/fold.js';
import { gramsOf } from '../text/grams.js';
import { referenceCandidates } from '../text/references.js';
import { type Traits, traitsOf } from './content-rules/traits.js';
import type { Draft } from './draft.js';
import type { WriteTicket } from './find-ticket.js';

/** What follows from the text alone: worked out before the lock is held. */
export type TextIndex = {
  titleFold: string | null;
  bodyFold: string;
  grams: number[];
  refs: number[] | null;
  /** Of topics only. */
  traits: Traits | null;
};

export function textIndex({ title, replyTo, submitted }: Draft): TextIndex {
  const { body } = submitted;
  const titleFold = title === null ? null : fold(title);
  const bodyFold = fold(body);
  const refs = referenceCandidates(body);
  return {
    titleFold,
    bodyFold,
    grams: gramsOf(titleFold, bodyFold),
    refs: refs.length === 0 ? null : refs,
    traits: replyTo === null ? traitsOf(title ?? '', body, []) : null,
  };
}

type Placed = {
  id: number;
  rootId: number;
  index: number;
  /** Of the key that signed; null for a guest. */
  keySeq: number | null;
  text: TextIndex;
  spends: readonly Spend[];
};

/**
 * Writes a message and everything that changes with it but its vote: search
 * row, the root's counters, the ticket's use, the budgets. One statement.
 */
export async function insertMessage(
  turn: Turn,
  ticket: WriteTicket,
  { id, rootId, index, keySeq, text, spends }: Placed,
): Promise<void> {
  const { draft } = ticket;
  const { body, name, agentId } = draft.submitted;
  const { traits } = text;
  await turn.tx.query(
    `WITH new AS (
       INSERT INTO message (id, root_id, reply_to, room, author, agent_id,
         title, body, salt, refs, created_at, request_id, message_hash,
         log_index, vote_secret, last_activity_id, series_prefix,
         series_structure, project_keys, promotion, key_seq)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
         $15, $1, $16, $17, $18, $19, $27)
     ), search AS (
       INSERT INTO message_search (message_id, title_fold, body_fold, grams)
       VALUES ($1, $20, $21, $22)
     ), root AS (
       UPDATE message SET reply_count = reply_count + 1, last_reply_id = $1,
         last_activity_id = $1
       WHERE id = $2 AND $3::bigint IS NOT NULL
     ), used AS (
       UPDATE ticket SET used_at = $23 WHERE ticket_hash = $24
     ), spent AS (
       SELECT * FROM unnest($25::text[], $26::bytea[]) AS s (scope, key)
     ), heads AS (
       INSERT INTO budget_head AS h (scope, key, total, at)
       SELECT scope, key, 1, ($23::bigint / 3600000 + 1) * 3600000 FROM spent
       ON CONFLICT (scope, key) DO UPDATE
         SET total = h.total + 1, at = greatest(h.at, excluded.at)
     )
     INSERT INTO budget_spend (scope, key, at)
     SELECT scope, key, $23 FROM spent`,
    [
      id,
      rootId,
      draft.replyTo,
      draft.room,
      name,
      agentId,
      draft.title,
      body,
      Buffer.from(draft.salt, 'base64'),
      text.refs,
      turn.at,
      ticket.requestId,
      Buffer.from(draft.messageHash, 'base64'),
      index,
      randomBytes(32),
      traits?.seriesPrefix ?? null,
      traits?.seriesStructure ?? null,
      traits?.projectKeys.length ? traits.projectKeys : null,
      traits?.promotion ?? false,
      text.titleFold,
      text.bodyFold,
      text.grams,
      turn.now,
      ticket.hash,
      spends.map((spend) => spend.scope),
      spends.map((spend) => spend.key),
      keySeq,
    ],
  );
}
