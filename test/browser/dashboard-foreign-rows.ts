import type { TestBoard } from '../support/board.js';
import { randomBytes, randomUUID } from '../support/random.js';
import { short } from './dashboard-inspect.js';

/** Decisions about a message, and templates, with texts of no operator. */
export async function decidedRows(
  test: TestBoard,
  messageId: number,
  texts: readonly string[],
): Promise<void> {
  const { writes } = test.board.context;
  await writes.query(
    `INSERT INTO decision (id, message_id, action, reason, explanation,
       private_note, made_by, operator, decided_at, log_index)
     SELECT it.n, $1, 'keep', 'other', it.text, it.text, 'operator',
       left(it.text, 48), $3, 2000000 + it.n
     FROM unnest($2::text[]) WITH ORDINALITY AS it (text, n)`,
    [messageId, texts, test.clock.now()],
  );
  await writes.query(
    `INSERT INTO decision_template (name, action, reason, explanation,
       updated_at, updated_by)
     SELECT DISTINCT ON (left(text, 60)) left(text, 60), 'keep', 'other', text,
       $2, left(text, 48)
     FROM unnest($1::text[]) AS it (text)`,
    [texts, test.clock.now()],
  );
}

/**
 * Boards and alarms named by the texts, as if nothing had looked at them before
 * they were stored. Each board `n` shows the group `n` of texts, if there is
 * one.
 */
export async function peerRows(
  test: TestBoard,
  texts: readonly string[],
  groups: readonly string[],
): Promise<void> {
  const { writes } = test.board.context;
  const now = test.clock.now();
  const names = texts.map((text, n) => short(`${n} ${text}`, 110));
  const shown = texts.map((text, n) => groups[n] ?? text);
  await writes.query(
    `INSERT INTO peer (origin_id, name, origin, base_url, log_vkey, mirror_vkey,
       node_vkey, identity, identity_seq, pending_identity, added_at,
       confirmed_at, status, status_reason, status_at, trust, last_error_code,
       last_error_at, remote_size, remote_checkpoint, remote_seen_at,
       acked_size)
     SELECT 1000 + it.n, it.name, it.name, left(it.text, 70), it.text, it.text,
       it.text, it.text, 0, E'log: ' || it.text, now, now, 'active',
       left(it.text, 200), now, 'mirror', it.text, now, 10, it.text, now - 5000,
       1
     FROM (SELECT $3::bigint AS now) c, unnest($1::text[], $2::text[])
       WITH ORDINALITY AS it (name, text, n)`,
    [names, shown, now],
  );
  await writes.query(
    `INSERT INTO alarm (kind, subject, detail, raised_at, last_at)
     SELECT 'peer_degraded', it.name, it.text, $3, $3
     FROM unnest($1::text[], $2::text[]) AS it (name, text)`,
    [names, texts, now],
  );
}

/** Evidence of these texts alone, each in every one of its parts. */
export async function evidenceRows(
  test: TestBoard,
  texts: readonly string[],
): Promise<void> {
  const bytes = texts.map((text) =>
    Buffer.from(JSON.stringify({ log_vkey: text, first: text, second: text })),
  );
  await test.board.context.writes.query(
    `INSERT INTO evidence (sha256, origin, kind, bytes, at)
     SELECT it.sha256, it.text, it.text, it.bytes, $4
     FROM unnest($1::bytea[], $2::text[], $3::bytea[])
       AS it (sha256, text, bytes)`,
    [texts.map(() => randomBytes(32)), texts, bytes, test.clock.now()],
  );
}

/** What operators at scale leave: notes, views, rules, bulks, places, a trail. */
export async function operatorRows(
  test: TestBoard,
  messageId: number,
  texts: readonly string[],
): Promise<{ bulk: string }> {
  const { writes } = test.board.context;
  const now = test.clock.now();
  const bulk = randomUUID();
  const each = `unnest($1::text[]) WITH ORDINALITY AS it (text, n)`;
  await writes.query(
    `INSERT INTO subject_note (id, message_id, note, operator, at)
     SELECT gen_random_uuid(), $2, left(it.text, 2000), left(it.text, 48),
       $3 + it.n FROM ${each}`,
    [texts, messageId, now],
  );
  await writes.query(
    `INSERT INTO saved_view (operator_id, name, query, created_at)
     SELECT o.id, left(it.n || it.text, 60), left(it.text, 2000), $2
     FROM operator o CROSS JOIN ${each} WHERE it.n <= 20`,
    [texts, now],
  );
  await writes.query(
    `INSERT INTO watch_rule (id, version, name, paused, rule, changed_at,
       changed_by)
     SELECT gen_random_uuid(), 1, left(it.n || it.text, 60), true,
       jsonb_build_object('kind', 'words', 'terms',
         jsonb_build_array(left(it.text, 80))), $2, left(it.text, 48)
     FROM ${each}`,
    [texts, now],
  );
  await writes.query(
    `INSERT INTO bulk (id, operator, action, reason, explanation, private_note,
       settle_reports, created_at)
     VALUES ($1, left($2, 48), 'remove', 'spam', $2, $2, true, $3)`,
    [bulk, texts.join('\n').slice(0, 2000), now],
  );
  await writes.query(
    `INSERT INTO bulk_item (bulk_id, n, subject, state, error)
     SELECT $2, it.n, 'message:' || it.n, 'refused',
       jsonb_build_object('error', it.text, 'detail', it.text)
     FROM ${each}`,
    [texts, bulk],
  );
  await writes.query(
    `WITH channel AS (
       INSERT INTO notification_channel (id, way, kinds, address,
         digest_minutes, changed_at, changed_by)
       SELECT gen_random_uuid(), 'email', '{report}', left(it.text, 254), 0, $2,
         left(it.text, 48) FROM ${each} RETURNING id, address
     ) INSERT INTO notification_delivery (id, channel_id, items, total, test,
       state, attempts, error, created_at, due_at)
     SELECT gen_random_uuid(), id, '[]', 1, false, 'dead', 1, address, $2, $2
     FROM channel`,
    [texts, now],
  );
  await writes.query(
    `INSERT INTO operator_audit (id, at, operator, action, subject, before,
       after, previous, hash)
     SELECT 1000 + it.n, $2, it.text, it.text, it.text,
       to_json(it.text), to_json(it.text), h.zeros, h.zeros
     FROM ${each}, (SELECT decode(repeat('00', 32), 'hex') AS zeros) h`,
    [texts, now],
  );
  return { bulk };
}
