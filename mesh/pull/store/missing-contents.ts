import { logPath } from '../../../protocol/board-name.js';
import { type Content, contentFromJson } from '../../../protocol/content.js';
import type { Database, Sql, Tx } from '../../../server/db/sql.js';
import { type ContentFault, fetchContent } from '../fetch/fetch-page.js';
import type { PeerClient } from '../fetch/peer-client.js';
import type { PullSource } from '../hooks.js';
import { matching } from '../verify/judge-post.js';
import type { TextFault, TextRules } from '../verify/text-rules.js';
import { mirrorPrefix, mirrorsOf } from './mirror-sources.js';
import { degrade } from './peer-progress.js';
import { indexTexts, noteReadable } from './readable.js';
import { bytea } from './store-log.js';
import { refsOf } from './store-posts.js';

const TRIES = 3;
/** Between tries: 2 s, then 8 s. */
const GAP_MS = 2000;
const AT_ONCE = 32;
const BUDGET_MS = 10_000;

export type ContentParts = {
  db: Database;
  client: PeerClient;
  textRules: TextRules;
  now(): number;
};

export type ContentLog = {
  originId: number;
  origin: string;
  source: PullSource;
  /** Texts are stored; else they are verified and dropped. */
  keeps: boolean;
};

type Missing = {
  /** Also of a former generation's log, which has no worker of its own. */
  origin_id: number;
  origin: string;
  id: number;
  log_index: number;
  content_hash: Buffer;
  reply_to: number | null;
  poll_id: number | null;
  fetch_tries: number;
};

/** A log and the former generations of it: $1 is the log that is pulled. */
const LOGS = `FROM log_state own JOIN log_state l ON l.board = own.board
    AND l.closed_at IS NULL AND l.origin_id > 0`;

/**
 * When the next missing content of a log is due, or of a former generation of
 * it, in ms; null for none.
 */
export async function nextContentAt(
  sql: Sql,
  originId: number,
): Promise<number | null> {
  const [row] = await sql.query<{ at: number | null }>(
    `SELECT min(m.at) AS at ${LOGS}
       CROSS JOIN LATERAL (SELECT min(fetch_at) AS at FROM mirror_message
         WHERE origin_id = l.origin_id AND status = 'missing') m
     WHERE own.origin_id = $1`,
    [originId],
  );
  return row?.at ?? null;
}

/**
 * Asks again for contents that a page lacked: three times at the origin, then
 * every mirror of it, then the text is `withheld` and the peer degraded
 * (spec/mesh.md §B7). An origin that cannot be reached costs no try. Answers
 * whether something became readable.
 */
export async function fetchMissing(
  parts: ContentParts,
  log: ContentLog,
  signal: AbortSignal,
): Promise<boolean> {
  const rows = await parts.db.query<Missing>(
    `SELECT l.origin_id, l.origin, m.* ${LOGS}
       CROSS JOIN LATERAL (SELECT id, log_index, content_hash, reply_to,
           poll_id, fetch_tries, fetch_at
         FROM mirror_message WHERE origin_id = l.origin_id
           AND status = 'missing' AND fetch_at <= $2
         ORDER BY fetch_at, id LIMIT ${AT_ONCE}) m
     WHERE own.origin_id = $1
     ORDER BY m.fetch_at, l.origin_id, m.id LIMIT ${AT_ONCE}`,
    [log.originId, parts.now()],
  );
  const started = performance.now();
  let found = false;
  for (const row of rows) {
    if (signal.aborted || performance.now() - started > BUDGET_MS) break;
    const source = sourceOf(log, row);
    const got = await contentFrom(parts, source, row, signal);
    if (got === 'unreachable') break;
    if (got !== 'gone') found = (await accept(parts, log, row, got)) || found;
    else found = (await missed(parts, log, row, signal)) || found;
  }
  return found;
}

/** A former generation is asked for where the present one is. */
function sourceOf({ origin, source }: ContentLog, row: Missing): PullSource {
  if (row.origin === origin) return source;
  const atMirror = source.prefix === mirrorPrefix(origin);
  const prefix = atMirror ? mirrorPrefix(row.origin) : logPath(row.origin);
  return { baseUrl: source.baseUrl, prefix };
}

async function contentFrom(
  { client }: ContentParts,
  source: PullSource,
  row: Missing,
  signal: AbortSignal,
): Promise<Content | ContentFault> {
  const answer = await fetchContent(client, source, row.log_index, signal);
  if (!answer.ok) return answer.reason;
  const content = contentFromJson(answer.value);
  const sent = content.ok ? content.value : 'bad';
  return matching(sent, row.content_hash) ?? 'gone';
}

async function missed(
  parts: ContentParts,
  log: ContentLog,
  row: Missing,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, now } = parts;
  const tries = row.fetch_tries + 1;
  if (tries < TRIES) {
    await db.query(
      `UPDATE mirror_message SET fetch_tries = $3, fetch_at = $4
       WHERE origin_id = $1 AND id = $2 AND status = 'missing'`,
      [row.origin_id, row.id, tries, now() + GAP_MS * 4 ** (tries - 1)],
    );
    return false;
  }
  for (const { baseUrl } of await mirrorsOf(db, log.originId, log.origin)) {
    const source = { baseUrl, prefix: mirrorPrefix(row.origin) };
    const got = await contentFrom(parts, source, row, signal);
    if (typeof got !== 'string') return await accept(parts, log, row, got);
  }
  await db.transaction(async (tx) => {
    const withheld = await tx.query(
      `UPDATE mirror_message SET status = 'withheld', fetch_tries = $3,
         fetch_at = NULL
       WHERE origin_id = $1 AND id = $2 AND status = 'missing' RETURNING id`,
      [row.origin_id, row.id, tries],
    );
    if (withheld.length === 0) return; // removed meanwhile
    await tx.query(
      `UPDATE peer SET withheld_contents = withheld_contents + 1
       WHERE origin_id = $1`,
      [log.originId],
    );
    await degrade(tx, log.originId, 'withheld_content', now());
  });
  return false;
}

/** Stores a content whose hash is right, unless it breaks the board's rules. */
async function accept(
  { db, textRules, now }: ContentParts,
  log: ContentLog,
  row: Missing,
  content: Content,
): Promise<boolean> {
  const fault = textRules(content, {
    isTopic: row.reply_to === null,
    hasPoll: row.poll_id !== null,
  });
  return await db.transaction(async (tx) => {
    if (fault !== null) return await condemn(tx, log, row, fault);
    const stored = await tx.query(
      `UPDATE mirror_message SET fetch_at = NULL,
         status = CASE WHEN $9::boolean THEN 'ok' ELSE 'bare' END,
         author = $3, title = $4, body = $5, poll = $6::jsonb, salt = $7,
         refs = $8::bigint[]
       WHERE origin_id = $1 AND id = $2 AND status = 'missing' RETURNING id`,
      [
        row.origin_id,
        row.id,
        ...(log.keeps ? textColumns(content) : Array(6).fill(null)),
        log.keeps,
      ],
    );
    if (stored.length === 0 || !log.keeps) return false;
    await indexTexts(tx, row.origin_id, [{ id: row.id, content }]);
    await noteReadable(tx, row.origin_id, [row.id], now());
    return true;
  });
}

function textColumns({ name, title, body, poll, salt }: Content): unknown[] {
  return [
    name,
    title ?? null,
    body,
    poll === undefined ? null : JSON.stringify(poll),
    bytea(salt),
    refsOf(body),
  ];
}

async function condemn(
  tx: Tx,
  { originId }: ContentLog,
  row: Missing,
  fault: TextFault,
): Promise<boolean> {
  await tx.query(
    `WITH post AS (
       UPDATE mirror_message SET status = 'invalid', fault = $4, fetch_at = NULL
       WHERE origin_id = $1 AND id = $2 AND status = 'missing'
     ), entry AS (
       UPDATE log_entry SET status = 'invalid', fault = $4
       WHERE origin_id = $1 AND idx = $3
     )
     UPDATE peer SET invalid_entries = invalid_entries + 1
     WHERE origin_id = $5`,
    [row.origin_id, row.id, row.log_index, fault, originId],
  );
  return false;
}
