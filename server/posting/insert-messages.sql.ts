// By hand (W1): seven tables and a batch in one statement.

import { randomBytes } from 'node:crypto';
import { fold } from '../../protocol/fold.js';
import type { Spend } from '../db/budgets.js';
import { nameKey } from '../db/name-key.js';
import { eventRows } from '../db/note-event.js';
import { arraysOf, type Tx } from '../db/sql.js';
import { referenceCandidates } from '../http/urls.js';
import { NAMED_MAX, toAgent } from '../reading/index.js';
import { type Likeness, likenessOf } from '../search/index.js';
import { type Traits, traitsOf } from './content-rules/traits.js';
import type { Draft } from './draft.js';
import { claimedBefore, ownClaim, sinceOf } from './posting.sql.js';
import type { WriteTicket } from './publish-facts.js';

/** Computed from the text before the lock. */
export type TextIndex = {
  titleFold: string | null;
  bodyFold: string;
  refs: number[] | null;
  likeness: Likeness;
  nameKey: Buffer | null;
  /** Topics only. */
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
    refs: refs.length === 0 ? null : refs,
    likeness: likenessOf(body),
    nameKey: nameKey(submitted.name),
    traits: replyTo === null ? traitsOf(title ?? '', body, []) : null,
  };
}

type Placed = {
  ticket: Pick<WriteTicket, 'draft' | 'requestId' | 'hash'>;
  id: number;
  rootId: number;
  index: number;
  /** Null for a guest. */
  keySeq: number | null;
  text: TextIndex;
  spends: readonly Spend[];
  /** `created_at`, and the clock's time, by which windows count. */
  at: number;
  now: number;
};

/** JSON, as an array of arrays needs equal lengths. */
function textsOf(values: readonly string[] | null | undefined): string | null {
  return values?.length ? JSON.stringify(values) : null;
}

/** IDs are contiguous, so lower ones exist (spec/board.md §5.5). */
function answersOf({ id, ticket: { draft }, text }: Placed) {
  const { replyTo } = draft;
  const named = (text.refs ?? []).filter((ref) => ref < id);
  const targets = [replyTo, ...named.slice(0, NAMED_MAX)];
  return [...new Set(targets)].flatMap((target) =>
    target === null ? [] : { id, target, byReply: target === replyTo },
  );
}

/** All but votes, in one statement per batch. */
export async function insertMessages(
  tx: Tx,
  placed: readonly Placed[],
): Promise<void> {
  const answers = placed.flatMap(answersOf);
  const of = <T>(value: (one: Placed) => T): T[] => placed.map(value);
  const draft = <T>(value: (one: Draft) => T): T[] =>
    placed.map(({ ticket }) => value(ticket.draft));
  const traits = <T>(value: (one: Traits) => T): (T | null)[] =>
    placed.map(({ text }) => (text.traits ? value(text.traits) : null));
  const spends = placed.flatMap(({ now, spends: own }) =>
    own.map((spend) => ({ ...spend, now })),
  );
  await tx.query(INSERT_MESSAGES, [
    of(({ id }) => id),
    of(({ rootId }) => rootId),
    draft(({ replyTo }) => replyTo),
    draft(({ room }) => room),
    draft(({ submitted }) => submitted.name),
    draft(({ submitted }) => submitted.agentId),
    draft(({ title }) => title),
    draft(({ submitted }) => submitted.body),
    draft(({ salt }) => Buffer.from(salt, 'base64')),
    of(({ text }) => text.refs && `{${text.refs.join(',')}}`), // as text
    of(({ at }) => at),
    of(({ ticket }) => ticket.requestId),
    draft(({ messageHash }) => Buffer.from(messageHash, 'base64')),
    of(({ index }) => index),
    of(() => randomBytes(32)),
    traits(({ seriesPrefix }) => seriesPrefix ?? null),
    traits(({ seriesStructure }) => seriesStructure ?? null),
    traits(({ projectKeys }) => textsOf(projectKeys)),
    traits(({ promotion }) => promotion),
    of(({ text }) => text.titleFold),
    of(({ text }) => text.bodyFold),
    of(({ now }) => now),
    of(({ ticket }) => ticket.hash),
    ...arraysOf(spends, 'scope', 'key'),
    of(({ keySeq }) => keySeq),
    ...arraysOf(spends, 'now'),
    of(({ text }) => text.nameKey),
    of(({ at }) => sinceOf(at)),
    of(({ text }) => text.likeness.textKey),
    of(({ text }) => textsOf(text.likeness.linkHosts)),
    ...arraysOf(answers, 'id', 'target', 'byReply'),
  ]);
}

const NOTED = eventRows(
  'message',
  { message_id: 'id', root_id: 'root_id', room: 'room' },
  'placed',
);

const texts = (column: string) =>
  `CASE WHEN ${column} IS NOT NULL THEN
        ARRAY(SELECT jsonb_array_elements_text(${column}::jsonb)) END`;

const INSERT_MESSAGES = `WITH placed AS MATERIALIZED (
    SELECT unnest($1::bigint[]) AS id,
      unnest($2::bigint[]) AS root_id,
      unnest($3::bigint[]) AS reply_to,
      unnest($4::text[]) AS room,
      unnest($5::text[]) AS author,
      unnest($6::text[]) AS agent_id,
      unnest($7::text[]) AS title,
      unnest($8::text[]) AS body,
      unnest($9::bytea[]) AS salt,
      unnest($10::text[]) AS refs,
      unnest($11::bigint[]) AS created_at,
      unnest($12::uuid[]) AS request_id,
      unnest($13::bytea[]) AS message_hash,
      unnest($14::bigint[]) AS log_index,
      unnest($15::bytea[]) AS vote_secret,
      unnest($16::bytea[]) AS series_prefix,
      unnest($17::bytea[]) AS series_structure,
      unnest($18::text[]) AS project_keys,
      unnest($19::boolean[]) AS promotion,
      unnest($20::text[]) AS title_fold,
      unnest($21::text[]) AS body_fold,
      unnest($26::integer[]) AS key_seq,
      unnest($28::bytea[]) AS name_key,
      unnest($29::bigint[]) AS claims_since,
      unnest($30::bytea[]) AS text_key,
      unnest($31::text[]) AS link_hosts
  ), new AS (
    INSERT INTO message (id, root_id, reply_to, room, author, agent_id, title,
      body, salt, refs, created_at, request_id, message_hash, log_index,
      vote_secret, last_activity_id, series_prefix, series_structure,
      project_keys, promotion, key_seq, text_key, link_hosts, unindexed,
      name_key, look_alike)
    SELECT id, root_id, reply_to, room, author, agent_id, title, body, salt,
      refs::bigint[], created_at, request_id, message_hash, log_index,
      vote_secret, id, series_prefix, series_structure,
      ${texts('project_keys')}, coalesce(promotion, false), key_seq, text_key,
      ${texts('link_hosts')}, NULL, name_key,
      ${claimedBefore('placed')} OR (own.claim_id IS NULL
        AND EXISTS (SELECT FROM placed s WHERE s.name_key = placed.name_key
          AND s.agent_id <> coalesce(placed.agent_id, '') AND s.id < placed.id
          AND NOT EXISTS (SELECT FROM placed o WHERE o.name_key = s.name_key
            AND o.agent_id = placed.agent_id AND o.id < s.id)))
    FROM placed ${ownClaim('placed')}
  ), noted AS (
    INSERT INTO admin_pending (kind, payload)
    ${NOTED}
  ), search AS (
    INSERT INTO message_search (message_id, title_fold, body_fold)
    SELECT id, title_fold, body_fold FROM placed
  ), inbox AS (
    INSERT INTO inbox_entry (target_id, message_id, by_reply, to_agent)
    SELECT a.target, a.id, a.by_reply, ${toAgent('target', 'p')}
    FROM (SELECT unnest($32::bigint[]) AS id, unnest($33::bigint[]) AS target,
        unnest($34::boolean[]) AS by_reply) a
      JOIN placed p ON p.id = a.id
      CROSS JOIN LATERAL (SELECT agent_id FROM message WHERE id = a.target
        UNION ALL SELECT agent_id FROM placed WHERE id = a.target) target
  ), root AS (
    UPDATE message m SET reply_count = m.reply_count + g.replies,
      last_reply_id = g.last, last_activity_id = g.last
    FROM (SELECT root_id, count(*) AS replies, max(id) AS last FROM placed
      WHERE reply_to IS NOT NULL GROUP BY root_id) g
    WHERE m.id = g.root_id AND m.id = ANY($2::bigint[])
  ), used AS (
    UPDATE ticket SET used_at = ($22::bigint[])[1] WHERE ticket_hash = ANY($23::bytea[])
  ), spent AS MATERIALIZED (
    SELECT unnest($24::text[]) AS scope, unnest($25::bytea[]) AS key,
      unnest($27::bigint[]) AS at
  ), heads AS (
    INSERT INTO budget_head AS h (scope, key, total, at)
    SELECT scope, key, count(*), (max(at) / 3600000 + 1) * 3600000 FROM spent
    GROUP BY scope, key ORDER BY scope, key
    ON CONFLICT (scope, key) DO UPDATE
      SET total = h.total + excluded.total, at = greatest(h.at, excluded.at)
  ), spend AS (
    INSERT INTO budget_spend (scope, key, at) SELECT scope, key, at FROM spent
  ) SELECT`;
