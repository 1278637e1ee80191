import type { PoolClient } from 'pg';
import { equalBytes, fromBase64 } from '../../../protocol/bytes.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { type Content, contentHash } from '../../../protocol/content.js';
import { parseEntry, readPost } from '../../../protocol/entry.js';
import {
  appendLeaf,
  decodeFrontier,
  emptyFrontier,
  type Frontier,
  frontierRoot,
} from '../../../protocol/frontier.js';
import { leafHash } from '../../../protocol/tree.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { run } from '../../db/sql.js';
import { OWN_LOG } from '../../ledger/nodes.js';
import { ownLogOf } from '../../ledger/own-logs.js';
import { pollContentOfRoot } from '../../polls/poll-row.js';
import { BackupFault, type Manifest } from './manifest.js';

const PAGE = 500;

type Row = {
  idx: number;
  leaf: Buffer;
  leaf_hash: Buffer;
  type: string;
  message_id: number | null;
  found: boolean;
  salt: Buffer | null;
  author: string | null;
  title: string | null;
  body: string | null;
  poll: NonNullable<Content['poll']> | null;
};

const ENTRIES = `SELECT e.idx, e.leaf, e.leaf_hash, e.type, e.message_id,
    m.id IS NOT NULL AND m.log_index = e.idx
      AND m.message_hash = e.message_hash AS found,
    m.salt, m.author, m.title, m.body, ${pollContentOfRoot('m')} AS poll
  FROM log_entry e
    LEFT JOIN message m ON m.id = e.message_id AND e.type = 'post'
  WHERE e.origin_id = ${OWN_LOG} AND e.idx >= $1 ORDER BY e.idx LIMIT ${PAGE}`;

function wrong(what: string): BackupFault {
  return new BackupFault(
    `The backup does not prove itself: ${what}; use another one.`,
  );
}

/**
 * Whether a restored database is what its board signed: the root computed
 * anew from the log's leaves is the checkpoint's, every post has its message,
 * and every text is the very one that its leaf names (spec/mesh.md §B3, §B4).
 *
 * @throws BackupFault
 */
export async function checkRestored(
  client: PoolClient,
  manifest: Manifest,
): Promise<void> {
  const { log } = manifest;
  const root = signedRoot(manifest);
  let frontier = emptyFrontier();
  for (;;) {
    const page = await run<Row>(client, ENTRIES, [frontier.size]);
    for (const row of page) frontier = checked(row, frontier);
    if (page.length < PAGE) break;
  }
  if (frontier.size !== log.size) {
    throw wrong(`its log has ${frontier.size} entries and not ${log.size}`);
  }
  if (!equalBytes(frontierRoot(frontier), root)) {
    throw wrong('the root of its entries is not the one that was signed');
  }
  await checkHead(client, manifest, frontier);
}

/** The root that the log's key signed, at the size of the backup. */
function signedRoot({ log }: Manifest): Uint8Array {
  const vkey = parseVkey(log.vkey);
  if (!vkey.ok) throw wrong('its log key cannot be read');
  const opened = openCheckpoint(log.checkpoint, vkey.value);
  if (!opened.ok) throw wrong(`its checkpoint is refused (${opened.reason})`);
  const { size, root } = opened.value;
  const named = fromBase64(log.root, 32);
  if (size === log.size && named !== null && equalBytes(named, root)) {
    return root;
  }
  throw wrong('its checkpoint is of another size or root');
}

function checked(row: Row, frontier: Frontier): Frontier {
  const { idx, leaf } = row;
  if (idx !== frontier.size) throw wrong(`entry ${frontier.size} is missing`);
  const hash = leafHash(leaf);
  if (!equalBytes(hash, row.leaf_hash)) {
    throw wrong(`the hash of entry ${idx} is not that of its leaf`);
  }
  if (row.type === 'post') {
    if (!row.found) throw wrong(`message ${row.message_id} is missing`);
    if (row.body !== null && !isTextOf(row)) {
      throw wrong(`the text of message ${row.message_id} was changed`);
    }
  }
  return appendLeaf(frontier, hash).frontier;
}

function isTextOf({ leaf, salt, author, title, body, poll }: Row): boolean {
  const entry = parseEntry(leaf.toString('utf8'));
  if (!entry.ok || entry.value.type !== 'post') return false;
  const post = readPost(entry.value.embedded);
  if (!post.ok || salt === null || author === null || body === null) {
    return false;
  }
  const content: Content = {
    salt,
    name: author,
    ...(title === null ? {} : { title }),
    body,
    ...(poll === null ? {} : { poll }),
  };
  return equalBytes(contentHash(content), post.value.statement.content);
}

type Head = { size: number; frontier: Buffer; lost: number; newest: number };

/** The head goes on from here: a wrong one would fork the log. */
async function checkHead(
  client: PoolClient,
  { log }: Manifest,
  computed: Frontier,
): Promise<void> {
  const [head] = await run<Head>(
    client,
    `SELECT s.size, s.frontier,
       (SELECT count(*) FROM message m WHERE NOT EXISTS (SELECT FROM log_entry e
         WHERE e.origin_id = ${ownLogOf('m.id')} AND e.idx = m.log_index
           AND e.message_id = m.id)) AS lost,
       s.last_message_id AS newest
     FROM log_state s WHERE s.origin_id = ${OWN_LOG} AND s.log_vkey = $1
       AND s.checkpoint = $2`,
    [log.vkey, log.checkpoint],
  );
  if (head === undefined || head.size !== computed.size) {
    throw wrong('its head is not that of its log');
  }
  const kept = decodeFrontier(head.size, head.frontier);
  if (!equalBytes(frontierRoot(kept), frontierRoot(computed))) {
    throw wrong('its head is not that of its log');
  }
  if (head.lost > 0) throw wrong(`${head.lost} messages stand in no entry`);
  if (head.newest < log.last_message_id) {
    throw wrong('it would give ids of messages a second time');
  }
}
