import type { Tx } from '../db/sql.js';
import { type PollText, putPollText } from '../polls/poll-text.js';
import { fold } from '../search/fold.js';
import { forgetKeys } from '../search/ngram-index/state.js';

/** How long a removed text can be put back (spec/mesh.md §B4, Removal). */
export const SEALED_MS = 30 * 86_400_000;

type Removal = {
  id: number;
  decisionId: number;
  at: number;
  /** False destroys the text at once. */
  keep: boolean;
  poll: PollText | null;
};

/**
 * Takes a message's text, its salt and everything derived from them out of
 * every table but the sealed one: search row or keys, references, traits of
 * the content rules, and the drafts of its request_id.
 */
export async function sealContent(
  tx: Tx,
  { id, decisionId, at, keep, poll }: Removal,
): Promise<void> {
  await forgetKeys(tx, id);
  await tx.query(
    `WITH sealed AS (
       INSERT INTO sealed_content (message_id, sealed_at, author, title, body,
         salt, refs, series_prefix, series_structure, project_keys, promotion,
         poll)
       SELECT id, $3::bigint, author, title, body, salt, refs, series_prefix,
         series_structure, project_keys, promotion, $5::jsonb
       FROM message WHERE id = $1 AND $4::boolean
     ), search AS (
       DELETE FROM message_search WHERE message_id = $1
     ), drafts AS (
       UPDATE ticket SET draft = '{}'
       WHERE kind = 'write'
         AND request_id = (SELECT request_id FROM message WHERE id = $1)
     )
     UPDATE message SET removed_at = $3::bigint, removal = 'removed', removed_by = $2::bigint,
       erased_by = CASE WHEN $4 THEN NULL ELSE $2::bigint END,
       author = NULL, title = NULL, body = NULL, salt = NULL, refs = NULL,
       series_prefix = NULL, series_structure = NULL, project_keys = NULL,
       promotion = false
     WHERE id = $1`,
    [id, decisionId, at, keep, poll === null ? null : JSON.stringify(poll)],
  );
}

/** Is the text still there to be put back? Not once its time is over, even
 * while the job that destroys it is yet to come. */
export async function isSealed(
  tx: Tx,
  id: number,
  now: number,
): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM sealed_content WHERE message_id = $1 AND sealed_at > $2',
    [id, now - SEALED_MS],
  );
  return rows.length > 0;
}

type Sealed = { title: string | null; body: string; poll: PollText | null };

/**
 * Puts a sealed text back into every read path. A decision `reinstate` about
 * the message MUST stand already; the database refuses it otherwise.
 */
export async function unsealContent(
  tx: Tx,
  { id, root_id }: { id: number; root_id: number },
): Promise<void> {
  const [sealed] = await tx.query<Sealed>(
    `WITH sealed AS (SELECT * FROM sealed_content WHERE message_id = $1)
     UPDATE message m SET removed_at = NULL, removal = NULL, removed_by = NULL,
       author = s.author, title = s.title, body = s.body, salt = s.salt,
       refs = s.refs, series_prefix = s.series_prefix,
       series_structure = s.series_structure, project_keys = s.project_keys,
       promotion = s.promotion
     FROM sealed s WHERE m.id = $1
     RETURNING s.title, s.body, s.poll`,
    [id],
  );
  if (sealed === undefined) throw new Error('a sealed text was not found');
  await tx.query('DELETE FROM sealed_content WHERE message_id = $1', [id]);
  const title = sealed.title === null ? null : fold(sealed.title);
  const body = fold(sealed.body);
  if (!(await forgetKeys(tx, id))) {
    await tx.query(
      `INSERT INTO message_search (message_id, title_fold, body_fold)
       VALUES ($1, $2, $3)`,
      [id, title, body],
    );
  }
  if (sealed.poll !== null) await putPollText(tx, root_id, sealed.poll);
}

/** Destroys a sealed text under a decision that says so. */
export async function eraseSealed(
  tx: Tx,
  id: number,
  decisionId: number,
): Promise<void> {
  await tx.query('UPDATE message SET erased_by = $2 WHERE id = $1', [
    id,
    decisionId,
  ]);
  await tx.query('DELETE FROM sealed_content WHERE message_id = $1', [id]);
}

/** Counts a thread's replies again after one came or went. */
export async function recountThread(tx: Tx, rootId: number): Promise<void> {
  await tx.query(
    `UPDATE message r SET reply_count = t.replies, last_reply_id = t.last,
       last_activity_id = coalesce(t.last, r.id)
     FROM (SELECT count(*) AS replies, max(id) AS last FROM message
       WHERE root_id = $1 AND id <> $1 AND removed_at IS NULL) t
     WHERE r.id = $1`,
    [rootId],
  );
}
