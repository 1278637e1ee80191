import { parseLogOrigin } from '../../../protocol/board-name.js';
import { equalBytes, fromBase64 } from '../../../protocol/bytes.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { contentHash } from '../../../protocol/content.js';
import { parseEntry, readPost } from '../../../protocol/entry.js';
import {
  appendLeaf,
  decodeFrontier,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  leafHash,
} from '../../../protocol/tree.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { LogState } from '../../db/entities/log.js';
import type { Tx } from '../../db/sql.js';
import { storedContent } from '../../db/stored-content.js';
import { OWN_LOG } from '../../ledger/own-log.sql.js';
import {
  messagesWithoutEntry,
  type RestoredEntry,
  restoredEntries,
} from './backup.sql.js';
import { BackupFault, type Manifest } from './manifest.js';

const PAGE = 500;

function wrong(what: string): BackupFault {
  return new BackupFault(
    `The backup does not prove itself: ${what}; use another one.`,
  );
}

/**
 * Compares the tree's root with the checkpoint, and every text with its leaf
 * (spec/mesh.md §B3, §B4).
 * @throws BackupFault
 */
export async function checkRestored(tx: Tx, manifest: Manifest): Promise<void> {
  const { log } = manifest;
  const root = signedRoot(manifest);
  const frontier = await provenEntries(tx, wrong);
  if (frontier.size !== log.size) {
    throw wrong(`its log has ${frontier.size} entries and not ${log.size}`);
  }
  if (!equalBytes(frontierRoot(frontier), root)) {
    throw wrong('the root of its entries is not the one that was signed');
  }
  await checkHead(tx, manifest, frontier);
}

/**
 * The tree of leaves, after every text is compared with its leaf.
 * @throws what `fault` makes of a mismatch
 */
export async function provenEntries(
  tx: Tx,
  fault: (what: string) => Error,
): Promise<Frontier> {
  let frontier = emptyFrontier();
  for (;;) {
    const page = await restoredEntries(tx, frontier.size, PAGE);
    for (const row of page) frontier = checked(row, frontier, fault);
    if (page.length < PAGE) return frontier;
  }
}

function signedRoot({ board, log }: Manifest): Uint8Array {
  const vkey = parseVkey(log.vkey);
  if (!vkey.ok) throw wrong('its log key cannot be read');
  const opened = openCheckpoint(log.checkpoint, vkey.value);
  if (!opened.ok) throw wrong(`its checkpoint is refused (${opened.reason})`);
  const { origin, size, root } = opened.value;
  if (origin !== log.origin || parseLogOrigin(origin)?.name !== board) {
    throw wrong('its checkpoint is of another board');
  }
  const named = fromBase64(log.root, 32);
  if (size === log.size && named !== null && equalBytes(named, root)) {
    return root;
  }
  throw wrong('its checkpoint is of another size or root');
}

function checked(
  row: RestoredEntry,
  frontier: Frontier,
  fault: (what: string) => Error,
): Frontier {
  const { idx, leaf } = row;
  if (idx !== frontier.size) throw fault(`entry ${frontier.size} is missing`);
  const hash = leafHash(leaf);
  if (!equalBytes(hash, row.leaf_hash)) {
    throw fault(`the hash of entry ${idx} is not that of its leaf`);
  }
  if (row.type === 'post') {
    if (!row.found) throw fault(`message ${row.message_id} is missing`);
    if (row.body !== null && !isTextOf(row)) {
      throw fault(`the text of message ${row.message_id} was changed`);
    }
  }
  return appendLeaf(frontier, hash).frontier;
}

function isTextOf({ leaf, ...row }: RestoredEntry): boolean {
  const entry = parseEntry(leaf.toString('utf8'));
  if (!entry.ok || entry.value.type !== 'post') return false;
  const post = readPost(entry.value.embedded);
  const content = storedContent(row);
  if (!post.ok || content === null) return false;
  return equalBytes(contentHash(content), post.value.statement.content);
}

/** A wrong head would fork the log. */
async function checkHead(
  tx: Tx,
  { log }: Manifest,
  computed: Frontier,
): Promise<void> {
  const { vkey: logVkey, checkpoint } = log;
  const signed = { originId: OWN_LOG, logVkey, checkpoint };
  // Explicit columns: an old schema may lack later ones.
  const head = await tx.manager.findOne(LogState, {
    select: { size: true, frontier: true, lastMessageId: true },
    where: signed,
  });
  if (head === null || head.size !== computed.size) {
    throw wrong('its head is not that of its log');
  }
  const kept = decodeFrontier(head.size, head.frontier);
  if (!equalBytes(frontierRoot(kept), frontierRoot(computed))) {
    throw wrong('its head is not that of its log');
  }
  const lost = await messagesWithoutEntry(tx);
  if (lost > 0) throw wrong(`${lost} messages are in no entry`);
  if (head.lastMessageId < log.last_message_id) {
    throw wrong('it would give ids of messages a second time');
  }
}
