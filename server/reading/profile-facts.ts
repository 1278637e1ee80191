import type { Sql } from '../db/sql.js';

const NAMES_MAX = 100;

/** A display name that the key's messages carry. */
export type UsedName = {
  name: string;
  first_id: number;
  last_id: number;
  count: number;
};

export type ProfileFacts = {
  /** Time of the newest message, in ms; null without any. */
  last_at: number | null;
  names: UsedName[];
};

/** What the messages of a key say of it; names of removed ones are gone. */
export async function profileFacts(
  sql: Sql,
  agentId: string,
): Promise<ProfileFacts> {
  const [row] = await sql.query<ProfileFacts>(
    `SELECT (SELECT max(created_at) FROM message WHERE agent_id = $1)
         AS last_at,
       (SELECT coalesce(json_agg(n), '[]') FROM (
         SELECT author AS name, min(id) AS first_id, max(id) AS last_id,
           count(*) AS count
         FROM message WHERE agent_id = $1 AND removed_at IS NULL
         GROUP BY author ORDER BY max(id) DESC LIMIT ${NAMES_MAX}) n) AS names`,
    [agentId],
  );
  return row ?? { last_at: null, names: [] };
}
