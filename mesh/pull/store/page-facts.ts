import type { KeyChain } from '../../../protocol/key.js';
import type { Sql } from '../../../server/db/sql.js';
import {
  chainOf,
  type StoredKeyEvent,
} from '../../../server/ledger/key-state.js';
import type { KnownPost, MessageState } from '../verify/message-state.js';

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
  origin_id: number;
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

const POST = `m.origin_id, m.id, m.root_id, m.message_hash, m.agent_id,
  m.poll_id, m.status, m.visibility, m.erased, m.removal, m.removal_by,
  m.removal_at, m.removal_explain, m.removal_index, m.poll_close,
  m.poll_decision`;

/** The latest of the board's former logs that has them. */
const FORMER = `SELECT DISTINCT ON (m.id) ${POST}
  FROM log_state s
    JOIN log_state f ON f.board = s.board AND f.origin_id <> s.origin_id
      AND f.origin_id > 0 AND f.closed_at IS NULL
    JOIN mirror_message m ON m.origin_id = f.origin_id
      AND m.id = ANY ($2::bigint[])
  WHERE s.origin_id = $1 ORDER BY m.id, m.origin_id DESC`;

/**
 * Posts of a log that entries name, with the state they are in; those that
 * its own posts do not hold are looked for in former generations of the log.
 */
export async function readPosts(
  sql: Sql,
  originId: number,
  ids: readonly number[],
): Promise<Map<number, KnownPost>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<PostRow>(
    `SELECT ${POST} FROM mirror_message m
     WHERE m.origin_id = $1 AND m.id = ANY ($2::bigint[])`,
    [originId, ids],
  );
  const found = new Map(rows.map((row) => [row.id, knownPost(row)]));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const former = await sql.query<PostRow>(FORMER, [originId, missing]);
  for (const row of former) {
    found.set(row.id, { ...knownPost(row), originId: row.origin_id });
  }
  return found;
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
