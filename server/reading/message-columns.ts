import type { Room } from '../../protocol/room.js';
import { pollOfRoot } from '../polls/index.js';

/** Text is null once removed. */
export type MessageRow = {
  id: number;
  root_id: number;
  reply_to: number | null;
  room: Room;
  author: string | null;
  agent_id: string | null;
  title: string | null;
  body: string | null;
  created_at: number;
  request_id: string;
  /** Base64. */
  message_hash: string;
  /** Under a name that another key used before. */
  look_alike: boolean;
  score: number;
  removed_at: number | null;
  /** Of the decision; on the own board, where lists have tombstones. */
  removal_reason?: string | null;
  /** ID and root of existing messages that the body, whole or cut, may name. */
  existing: readonly (readonly [number, number])[] | null;
};

export function bareColumns(m: string, body = `${m}.body`): string {
  return `${m}.id, ${m}.root_id, ${m}.reply_to, ${m}.room, ${m}.author,
    ${m}.agent_id, ${m}.title, ${body} AS body, ${m}.created_at, ${m}.request_id,
    encode(${m}.message_hash, 'base64') AS message_hash,
    ${m}.look_alike, ${m}.score, ${m}.removed_at`;
}

/**
 * Columns of `m` with existing references.
 * `cuts`: SQL expressions of code points to which the body may be cut (0:
 * whole); a cut can turn `#123` into `#12`, which stored candidates lack.
 * `same`: further condition on a named message `r`. Candidates come in text
 * order, and the scan stops at the last that counts: a flood costs nothing.
 */
export function messageColumns(
  m: string,
  cuts: readonly string[],
  referencesMax: number,
  same = 'true',
): string {
  const cut = cuts.map(
    (size) =>
      `substring(left(${m}.body, nullif(${size}, 0)) from '#([1-9][0-9]{0,14})$')::bigint`,
  );
  const candidates = `ARRAY[${cut.join(', ')}]::bigint[] || ${m}.refs`;
  return `${bareColumns(m)}, CASE WHEN strpos(${m}.body, '#') > 0 THEN
      ARRAY(SELECT ARRAY[c.id, c.root_id] FROM (
          SELECT u.id, (SELECT r.root_id FROM message r
            WHERE r.id = u.id AND r.removed_at IS NULL AND ${same}) AS root_id
          FROM unnest(${candidates}) AS u (id) OFFSET 0) c
        WHERE c.root_id IS NOT NULL
        LIMIT ${referencesMax + cuts.length}) END AS existing`;
}

/**
 * Lets a read's statement run on the board's own tables or on a mirrored log's
 * under the same names (spec/mesh.md §B9); neither sees the other's rows.
 */
export type Source = {
  /** CTEs with a final comma; `n`: the first parameter for `values`. */
  tables(n: number): string;
  values: readonly unknown[];
  /** Further columns of `m`, each after a comma. */
  columns(m: string): string;
  /** The `PollRow` of root `r` as JSON, or null. */
  poll(r: string): string;
};

export const OWN: Source = {
  tables: () => '',
  values: [],
  columns: (m) => `, (SELECT d.reason FROM decision d
    WHERE d.id = ${m}.removed_by) AS removal_reason`,
  poll: pollOfRoot,
};

/** Title of its topic; null where that is removed. */
export type TitledRow = MessageRow & { root_title: string | null };

export const ROOT_TITLE = `(SELECT title FROM message topic WHERE topic.id = m.root_id)
  AS root_title`;
