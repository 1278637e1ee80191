import { randomBytes } from 'node:crypto';
import type { Context } from '../context.js';
import { ownLogOf } from '../ledger/own-logs.js';
import type { Proposal } from '../polls/poll-draft.js';
import type { MessageRow } from '../reading/message-columns.js';
import { loggedPost } from './logged-post.js';
import { receiptOf } from './receipt.js';
import { contentIdentity } from './submission.js';

const BATCH = 500;

type Row = Omit<MessageRow, 'score' | 'removed_at' | 'existing'> & {
  message_hash: Buffer;
  log_index: number;
  leaf: Buffer;
  origin: string;
  size: number;
  checkpoint: string;
  poll_id: number | null;
  poll_type: 'survey' | 'proposal';
  question: string | null;
  options: string[];
  kind: Proposal['kind'] | null;
  summary: string | null;
  duration_hours: number;
};

type Parts = Pick<Context, 'writes' | 'config' | 'keys' | 'log'>;

/**
 * Puts back the accepted requests that their table has lost, from the log and
 * the messages, before writes open (spec/mesh.md §B10): a retry must never
 * publish twice. What the retry's content was compared by is made anew from the
 * message; where its text is gone, or it was routed, every retry is a conflict,
 * and none a second message. Answers how many were missing.
 */
export async function restoreRequests(parts: Parts): Promise<number> {
  const { writes, log } = parts;
  const [counts] = await writes.query<{ lost: boolean }>(
    `SELECT (SELECT count(*) FROM write_request)
       < (SELECT count(*) FROM message) AS lost`,
  );
  if (counts?.lost !== true) return 0;
  let restored = 0;
  for (let after = 0; ; ) {
    const rows = await writes.query<Row>(MISSING, [after, BATCH]);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    restored += rows.length;
    await keep(parts, rows);
  }
  log.warn({ restored }, 'accepted requests were restored from the log');
  return restored;
}

const MISSING = `SELECT m.id, m.root_id, m.reply_to, m.room, m.author,
    m.agent_id, m.title, m.body, m.created_at, m.request_id, m.message_hash,
    m.log_index, e.leaf, s.origin, c.size, c.note AS checkpoint, p.id AS poll_id,
    p.type AS poll_type, p.question, p.options, p.kind, p.summary,
    p.duration_hours
  FROM message m
  JOIN log_state s ON s.origin_id = ${ownLogOf('m.id')}
  JOIN log_entry e ON e.origin_id = s.origin_id AND e.idx = m.log_index
  CROSS JOIN LATERAL (SELECT size, note FROM log_checkpoint
    WHERE origin_id = s.origin_id AND size > m.log_index ORDER BY size LIMIT 1) c
  LEFT JOIN poll p ON p.root_id = m.id
  WHERE m.id > $1 AND NOT EXISTS (SELECT FROM write_request w
    WHERE w.message_id = m.id)
  ORDER BY m.id LIMIT $2`;

async function keep(
  { writes, config, keys }: Parts,
  rows: readonly Row[],
): Promise<void> {
  const receipts = rows.map((row) =>
    receiptOf(
      config.baseUrl,
      {
        id: row.id,
        rootId: row.root_id,
        requestId: row.request_id,
        messageHash: row.message_hash.toString('base64'),
        vote: null,
        pollId: row.poll_id,
        signed: row.agent_id !== null,
        index: row.log_index,
      },
      { origin: row.origin, size: row.size, checkpoint: row.checkpoint },
    ),
  );
  await writes.query(
    `INSERT INTO write_request (request_id, content_hash, message_id, receipt,
       at)
     SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bigint[], $4::text[],
       $5::bigint[])
     ON CONFLICT DO NOTHING`,
    [
      rows.map((row) => row.request_id),
      rows.map((row) => identityOf(keys.server, row)),
      rows.map((row) => row.id),
      receipts.map((receipt) => JSON.stringify(receipt)),
      rows.map((row) => row.created_at),
    ],
  );
}

function identityOf(serverKey: Buffer, row: Row): Buffer {
  const { author, body, reply_to: replyTo } = row;
  if (author === null || body === null) return randomBytes(32);
  return contentIdentity(serverKey, {
    requestId: row.request_id,
    body,
    name: author,
    title: row.title,
    room: replyTo === null ? row.room : null,
    replyTo,
    vote: voteIn(row.leaf),
    poll: pollOf(row),
    agentId: row.agent_id,
    salt: null,
    board: null,
  });
}

/** A signed reply's rating; a guest's is not logged (spec/mesh.md §B3). */
function voteIn(leaf: Buffer): -1 | 0 | 1 {
  return loggedPost(leaf)?.statement.vote ?? 0;
}

function pollOf(row: Row) {
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
