import type { TestBoard } from '../support/board.js';
import { randomBytes } from '../support/random.js';
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
