import type { KeyChain } from '../../protocol/key.js';
import { chainOf, type StoredKeyEvent } from '../../server/agents/key-state.js';
import type { Sql } from '../../server/db/sql.js';
import type { KnownPost, MessageState } from './message-state.js';

type EventRow = StoredKeyEvent & { agent_id: string };

/** The chains of these agents in a log; those it does not know are absent. */
export async function readChains(
  sql: Sql,
  originId: number,
  agents: readonly string[],
): Promise<Map<string, KeyChain>> {
  const chains = new Map<string, KeyChain>();
  if (agents.length === 0) return chains;
  const rows = await sql.query<EventRow>(
    `SELECT agent_id, idx AS index, note, hash, conflict FROM agent_key_event
     WHERE origin_id = $1 AND agent_id = ANY($2::text[])
     ORDER BY agent_id, idx`,
    [originId, agents],
  );
  const events = new Map<string, EventRow[]>();
  for (const row of rows) {
    const known = events.get(row.agent_id);
    if (known === undefined) events.set(row.agent_id, [row]);
    else known.push(row);
  }
  for (const [agent, stored] of events) {
    const chain = chainOf(stored);
    if (chain !== null) chains.set(agent, chain);
  }
  return chains;
}

type PostRow = {
  id: number;
  root_id: number;
  message_hash: Buffer;
  agent_id: string | null;
  poll_id: number | null;
  status: MessageState['status'];
  visibility: MessageState['visibility'];
  erased: boolean;
  removal: string | null;
  removal_by: string | null;
  removal_at: number | null;
  removal_explain: Buffer | null;
  removal_index: number | null;
  poll_close: Record<string, unknown> | null;
  poll_decision: Record<string, unknown> | null;
};

/** Posts of a log that entries name, with the state they are in. */
export async function readPosts(
  sql: Sql,
  originId: number,
  ids: readonly number[],
): Promise<Map<number, KnownPost>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<PostRow>(
    `SELECT id, root_id, message_hash, agent_id, poll_id, status, visibility,
       erased, removal, removal_by, removal_at, removal_explain, removal_index,
       poll_close, poll_decision
     FROM mirror_message WHERE origin_id = $1 AND id = ANY($2::bigint[])`,
    [originId, ids],
  );
  return new Map(rows.map((row) => [row.id, knownPost(row)]));
}

function knownPost(row: PostRow): KnownPost {
  const { removal, removal_index: index, removal_at: at } = row;
  return {
    id: row.id,
    rootId: row.root_id,
    hash: row.message_hash,
    agentId: row.agent_id,
    pollId: row.poll_id,
    state: {
      status: row.status,
      visibility: row.visibility,
      erased: row.erased,
      removal:
        removal === null || index === null || at === null
          ? null
          : {
              reason: removal,
              by: row.removal_by ?? 'operator',
              at,
              explain: row.removal_explain,
              index,
            },
      pollClose: row.poll_close,
      pollDecision: row.poll_decision,
    },
  };
}
