import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Clock } from '../../server/clock.js';
import { type Config, ConfigError } from '../../server/config.js';
import { nextId } from '../../server/db/next-id.js';
import type { Database, Tx } from '../../server/db/sql.js';
import { beginLog } from '../../server/ledger/begin-log.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import {
  appendIdentity,
  type BoardIdentity,
  formerLogKeys,
  identityFacts,
} from '../../server/ledger/record-identity.js';
import { carryKeys } from './carry-keys.js';

/** What is known of the log that ends; the highest of what anybody shows. */
export type LogPast = {
  board: string;
  origin: string;
  lastMessageId: number;
  /** Of its newest identity; -1 where none is known. */
  identitySeq: number;
  /** Whether a mirror has shown it under its own signature. */
  witnessed: boolean;
  /** Its log key, where rows, peers or mirrors have shown it. */
  logVkey: string | null;
};

export type OpenedGeneration = BoardIdentity & {
  generation: number;
  firstMessageId: number;
  size: number;
  /** Entries of the closed log that stay readable; 0: its rows are lost. */
  closedSize: number;
  /** Agents whose keys were carried over. */
  agents: number;
  /** Whether the former log key signed the identity: peers confirm at once. */
  followed: boolean;
};

/** Between what was seen last and what may have been given unseen. */
const UNSEEN = 1_000_000;

type Row = { size: number; last_at: number; last_message_id: number };

/**
 * Closes the board's log and opens its next generation `<name>/log<n>`
 * (spec/mesh.md §B1), in one transaction: the rows of the closed one move under
 * an origin id of their own, the new one begins with the board's identity and
 * the keys of its agents, and its first post carries the highest known ID plus
 * 1, and 1,000,000 more where no mirror has witnessed the end of the old one.
 *
 * @param formerKey a log key that the settings do not hold any more, as hex
 * digits, for the identity that peers follow.
 * @throws ConfigError where two of the board's keys would be one.
 */
export async function openGeneration(
  db: Database,
  config: Config,
  boardSeed: string,
  clock: Clock,
  past: LogPast,
  formerKey: string | null = null,
): Promise<OpenedGeneration> {
  const seeds = { ...config, boardSeed };
  const generation = (parseLogOrigin(past.origin)?.generation ?? 1) + 1;
  const origin = logOrigin(past.board, generation);
  const keys = boardKeys(seeds, past.board, origin);
  const own: BoardIdentity = { board: past.board, origin, keys };
  const unseen = past.witnessed ? 0 : UNSEEN;
  const lastMessageId = past.lastMessageId + unseen;
  return await db.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('board genesis'))");
    const [old] = await tx.query<Row>(
      `SELECT size, last_at, last_message_id FROM log_state
       WHERE origin_id = 0 FOR UPDATE`,
    );
    const closed =
      old === undefined || old.size === 0 ? null : await close(tx, clock.now());
    if (closed === null) {
      await tx.query('DELETE FROM log_state WHERE origin_id = 0');
    }
    const lastAt = old?.last_at ?? 0;
    await beginLog(tx, own, { lastMessageId, lastAt });
    // What peers have acknowledged and what was anchored stood in the old one.
    await tx.query(
      `UPDATE peer SET acked_size = 0, acked_at = NULL, anchored_size = 0,
         anchored_at = NULL`,
    );
    const former = await formerLogKeys(tx, seeds, own, formerKey);
    const seq = past.identitySeq + 1 + unseen;
    const identity = { ...identityFacts(own, config.baseUrl), seq };
    requireDifferentKeys(own);
    await appendIdentity(tx, own, identity, former, clock);
    const agents =
      closed === null ? 0 : await carryKeys(tx, closed, clock, keys.log);
    const [now] = await tx.query<{ size: number }>(
      'SELECT size FROM log_state WHERE origin_id = 0',
    );
    return {
      ...own,
      generation,
      firstMessageId: lastMessageId + 1,
      size: now?.size ?? 0,
      closedSize: closed === null ? 0 : (old?.size ?? 0),
      agents,
      followed: former.some(({ vkey }) => formatVkey(vkey) === past.logVkey),
    };
  });
}

/** Moves the rows of the own log to an origin id of their own. */
async function close(tx: Tx, now: number): Promise<number> {
  const id = await nextId(tx, 'log_origin');
  await tx.query('SELECT mirror_open($1)', [id]);
  await tx.query(
    'UPDATE log_state SET origin_id = $1, closed_at = $2 WHERE origin_id = 0',
    [id, now],
  );
  for (const statement of MOVES) await tx.query(statement, [id]);
  // An agent's key names its event: copied first, dropped last.
  await tx.query('DELETE FROM agent_key WHERE origin_id = 0');
  await tx.query('DELETE FROM agent_key_event WHERE origin_id = 0');
  return id;
}

const MOVES = [
  ...['log_entry', 'log_node', 'log_checkpoint', 'log_cosignature'].map(
    (table) => `UPDATE ${table} SET origin_id = $1 WHERE origin_id = 0`,
  ),
  `INSERT INTO agent_key_event (origin_id, idx, agent_id, seq, conflict, hash,
     note)
   SELECT $1, idx, agent_id, seq, conflict, hash, note
   FROM agent_key_event WHERE origin_id = 0`,
  `INSERT INTO agent_key (origin_id, agent_id, status, key_seq, public_key,
     next, head_hash, registered_at, changed_at, changed_idx)
   SELECT $1, agent_id, status, key_seq, public_key, next, head_hash,
     registered_at, changed_at, changed_idx
   FROM agent_key WHERE origin_id = 0`,
];

function requireDifferentKeys({ keys: { log, mirror, node } }: BoardIdentity) {
  const distinct = new Set(
    [log, mirror, node].map(({ vkey }) =>
      Buffer.from(vkey.publicKey).toString('hex'),
    ),
  );
  if (distinct.size === 3) return;
  throw new ConfigError([
    'The log, mirror and node keys must be three different ones; set BOARD_LOG_KEY, BOARD_MIRROR_KEY and BOARD_NODE_KEY to different values, or leave them out.',
  ]);
}
