// By hand (M1): a batch by unnest, and a CTE for two tables.

import { fold } from '../../../protocol/fold.js';
import type { Tx } from '../../../server/db/sql.js';
import { enterMirrored, MESH_FILL } from '../../../server/reading/index.js';
import { gramsOf } from '../../../server/search/index.js';

/** Whose inbox each new post is in; posts that are absent are looked up. */
export type Answers = ReadonlyMap<number, string | null>;

/**
 * Gives readable messages their place in the merged stream and in the inboxes of
 * keys (spec/mesh.md §B9).
 * MUST be the last statement: its lock is shared by all peers.
 */
export async function noteReadable(
  tx: Tx,
  originId: number,
  ids: readonly number[],
  now: number,
  known?: Answers,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(TAKE, [ids.length, now]);
  const unknown = ids.filter((id) => known?.has(id) !== true);
  const agents = ids.map((id) => known?.get(id) ?? null);
  const statement = known === undefined ? GIVE : GIVE_NEW;
  await tx.query(statement, [originId, ids, agents, unknown]);
}

const TAKE = `UPDATE stream SET last_id = last_id + $1, last_at = $2
  WHERE name = 'mirror_updates'`;

/** Separate, to see stretches begun while it waited for the lock. */
const give = (conflict: string) => `WITH taken AS MATERIALIZED (
    SELECT last_id - cardinality($2::bigint[]) AS before FROM stream
    WHERE name = 'mirror_updates'
  ), begun AS (
    INSERT INTO mirror_stretch (first_seq, origin_id)
    SELECT taken.before + 1, $1 FROM taken
    WHERE (SELECT s.origin_id FROM mirror_stretch s
      ORDER BY s.first_seq DESC LIMIT 1) IS DISTINCT FROM $1
  ), filled AS (
    UPDATE stream f SET last_id = taken.before + cardinality($2::bigint[])
    FROM taken WHERE f.name = '${MESH_FILL}' AND f.last_id = taken.before
  ), given AS (
    INSERT INTO mirror_update (seq, origin_id, id)
    SELECT taken.before + i.place, $1, i.id
    FROM taken, (SELECT unnest($2::bigint[]) AS id,
      generate_series(1, cardinality($2::bigint[])) AS place) AS i
    ${conflict} RETURNING seq, id
  ) ${enterMirrored(
    '$1',
    '(SELECT seq, id FROM given WHERE id = ANY ($4::bigint[]))',
    `UNION ALL SELECT k.agent_id, $1::int, given.id, given.seq
       FROM given JOIN unnest($2::bigint[], $3::text[]) AS k (id, agent_id)
         ON k.id = given.id WHERE k.agent_id IS NOT NULL`,
  )}`;

const GIVE = give('ON CONFLICT (origin_id, id) DO NOTHING');
const GIVE_NEW = give('');

/** Folded, with their grams. */
export async function indexTexts(
  tx: Tx,
  originId: number,
  texts: readonly {
    id: number;
    title?: string | null;
    body: string | null;
  }[],
): Promise<void> {
  if (texts.length === 0) return;
  const folded = texts.map(({ title = null, body }) => ({
    title: title === null ? null : fold(title),
    body: fold(body ?? ''),
  }));
  await tx.query(
    `INSERT INTO mirror_search (origin_id, message_id, title_fold, body_fold,
       grams)
     SELECT $1, s.id, s.title, s.body, s.grams::integer[]
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])
       AS s (id, title, body, grams)
     ON CONFLICT (origin_id, message_id) DO NOTHING`,
    [
      originId,
      texts.map(({ id }) => id),
      folded.map(({ title }) => title),
      folded.map(({ body }) => body),
      folded.map(({ title, body }) => `{${gramsOf(title, body).join(',')}}`),
    ],
  );
}
