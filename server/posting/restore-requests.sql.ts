// By hand: messages with their entries and checkpoints, over five tables.

import { randomBytes } from 'node:crypto';
import type { Context } from '../context.js';
import { Message } from '../db/entities/message.js';
import type { Poll } from '../db/entities/poll.js';
import { WriteRequest } from '../db/entities/ticket.js';
import { insertNew } from '../db/insert-new.js';
import type { Sql } from '../db/sql.js';
import { ownLogOf } from '../ledger/own-log.sql.js';
import { bareColumns, type MessageRow } from '../reading/index.js';
import { loggedPost } from './draft.js';
import { receiptOf } from './receipt.js';
import { contentIdentity } from './submission.js';

const BATCH = 500;

/** Without a row in `write_request`. */
type LostRequest = Omit<MessageRow, 'existing'> & {
  log_index: number;
  leaf: Buffer;
  origin: string;
  size: number;
  checkpoint: string;
  poll_id: number | null;
  poll_type: Poll['type'];
  question: Poll['question'];
  options: string[];
  kind: Poll['kind'];
  summary: Poll['summary'];
  duration_hours: number;
};

async function lostRequests(
  sql: Sql,
  after: number,
  limit: number,
): Promise<LostRequest[]> {
  return await sql.query<LostRequest>(
    `SELECT ${bareColumns('m')}, m.log_index, e.leaf, s.origin,
       c.size, c.note AS checkpoint, p.id AS poll_id, p.type AS poll_type,
       p.question, p.options, p.kind, p.summary, p.duration_hours
     FROM message m
     JOIN log_state s ON s.origin_id = ${ownLogOf('m.id')}
     JOIN log_entry e ON e.origin_id = s.origin_id AND e.idx = m.log_index
     CROSS JOIN LATERAL (SELECT size, note FROM log_checkpoint
       WHERE origin_id = s.origin_id AND size > m.log_index
       ORDER BY size LIMIT 1) c
     LEFT JOIN poll p ON p.root_id = m.id
     WHERE m.id > $1 AND NOT EXISTS (SELECT FROM write_request w
       WHERE w.message_id = m.id)
     ORDER BY m.id LIMIT $2`,
    [after, limit],
  );
}

type Parts = Pick<Context, 'writes' | 'config' | 'keys' | 'log'>;

/**
 * Restores lost rows of accepted requests before writes open (spec/mesh.md
 * §B10): a retry must never publish twice. The compared content is computed
 * from the message; where it is gone or was routed, retries conflict. Returns
 * how many were missing.
 */
export async function restoreRequests(parts: Parts): Promise<number> {
  const { writes, log } = parts;
  // Messages first: a publication in between is then missing in neither.
  const messages = await writes.manager.count(Message);
  if ((await writes.manager.count(WriteRequest)) >= messages) return 0;
  let restored = 0;
  for (let after = 0; ; ) {
    const rows = await lostRequests(writes, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    restored += rows.length;
    await keep(parts, rows);
  }
  log.warn({ restored }, 'accepted requests were restored from the log');
  return restored;
}

async function keep(
  { writes, config, keys }: Parts,
  rows: readonly LostRequest[],
): Promise<void> {
  const requests = rows.map((row) => {
    const published = {
      id: row.id,
      rootId: row.root_id,
      requestId: row.request_id,
      messageHash: row.message_hash,
      vote: null,
      pollId: row.poll_id,
      signed: row.agent_id !== null,
      index: row.log_index,
    };
    return {
      requestId: row.request_id,
      contentHash: identityOf(keys.server, row),
      messageId: row.id,
      receipt: JSON.stringify(receiptOf(config.baseUrl, published, row)),
      at: row.created_at,
    };
  });
  await insertNew(writes, WriteRequest, requests);
}

function identityOf(serverKey: Buffer, row: LostRequest): Buffer {
  const { author, body, reply_to: replyTo } = row;
  if (author === null || body === null) return randomBytes(32);
  return contentIdentity(serverKey, {
    requestId: row.request_id,
    body,
    name: author,
    title: row.title,
    room: replyTo === null ? row.room : null,
    replyTo,
    // A guest's is not logged (spec/mesh.md §B3).
    vote: loggedPost(row.leaf)?.statement.vote ?? 0,
    poll: pollOf(row),
    agentId: row.agent_id,
    salt: null,
    board: null,
  });
}

function pollOf(row: LostRequest) {
  if (row.poll_id === null || row.question === null) return null;
  const { kind, summary } = row;
  return {
    type: row.poll_type,
    question: row.question,
    options: row.options,
    proposal: kind === null ? null : { kind, summary: summary ?? '' },
    durationHours: row.duration_hours,
  };
}
