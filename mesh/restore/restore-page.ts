import { equalBytes } from '../../protocol/bytes.js';
import { type Content, contentHash } from '../../protocol/content.js';
import {
  type Entry,
  parseEntry,
  parseEntryHead,
  readPost,
  type UnknownEntry,
} from '../../protocol/entry.js';
import type { FeedPage, VerifiedPage } from '../../protocol/feed-page.js';
import { encodeFrontier } from '../../protocol/frontier.js';
import { stepKeyChain } from '../../protocol/key.js';
import { formatNote, isLineOf } from '../../protocol/note.js';
import { messageHash } from '../../protocol/statement.js';
import { leafHash } from '../../protocol/tree.js';
import type { Vkey } from '../../protocol/vkey.js';
import type { Tx } from '../../server/db/sql.js';
import type { SignedHead } from '../../server/ledger/append-context.js';
import { lockHead } from '../../server/ledger/head.js';
import { loadKeyChain, readKeyState } from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import { storeKeyStep } from '../../server/ledger/record-key-step.js';
import {
  restoreDecision,
  restorePollEnd,
  restoreRemoval,
} from './restore-decision.js';
import type { RestoreParts } from './restore-parts.js';
import { restorePost } from './restore-post.js';

/**
 * Writes a verified page of our own log again, and all that its entries mean
 * to the board; answers how many messages. `contents` are by index, verified;
 * `lost` gathers the ids of those without, until a removal explains them.
 */
export async function restorePage(
  tx: Tx,
  parts: RestoreParts,
  page: FeedPage,
  verified: VerifiedPage,
  contents: ReadonlyMap<number, Content>,
  lost: Set<number>,
): Promise<number> {
  const head = await lockHead(tx);
  if (head.frontier.size !== page.from) {
    throw new Error('the log has grown meanwhile; is a board running on it?');
  }
  const { checkpoint, frontier } = verified;
  const note = ownNote(checkpoint.note, parts.keys.log.vkey);
  const { origin, size } = checkpoint;
  const signed: SignedHead = { origin, size, checkpoint: note };
  let messages = 0;
  let { lastMessageId, lastAt } = head;
  for (const [place, { leaf }] of page.entries.entries()) {
    const index = page.from + place;
    const parsed = parseEntry(leaf);
    const entry = parsed.ok ? parsed.value : null;
    await storeLeaf(tx, index, leaf, entry);
    lastAt = Math.max(lastAt, entry?.at ?? 0);
    if (entry === null || entry.type === 'unknown') continue;
    if (entry.type === 'post') {
      lastMessageId = Math.max(lastMessageId, entry.id);
      const content = contents.get(index) ?? null;
      messages += 1;
      if (content === null) lost.add(entry.id);
      await post(tx, parts, index, entry, content, signed);
    } else await restoreEntry(tx, index, entry, lost);
  }
  await storeTree(tx, verified);
  const reached = frontier.size === size;
  await tx.query(
    `UPDATE log_state SET size = $2, frontier = $3, last_message_id = $4,
       last_at = $5, checkpoint = coalesce($6, checkpoint)
     WHERE origin_id = $1`,
    [
      OWN_LOG,
      frontier.size,
      Buffer.from(encodeFrontier(frontier)),
      lastMessageId,
      lastAt,
      reached ? note : null,
    ],
  );
  if (reached) {
    await tx.query(
      `INSERT INTO log_checkpoint (origin_id, size, root, note, at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (origin_id, size) DO NOTHING`,
      [OWN_LOG, size, Buffer.from(checkpoint.root), note, lastAt],
    );
  }
  return messages;
}

/** The head as this board signed it, without its cosigners' lines. */
function ownNote(
  { text, signatures }: VerifiedPage['checkpoint']['note'],
  vkey: Vkey,
): string {
  const own = signatures.filter((line) => isLineOf(line, vkey));
  return formatNote({ text, signatures: own.slice(0, 1) });
}

/** Whether a content is the very one that a leaf's statement names. */
export function isContentOf(leaf: string, content: Content): boolean {
  const entry = parseEntry(leaf);
  if (!entry.ok || entry.value.type !== 'post') return false;
  const read = readPost(entry.value.embedded);
  return (
    read.ok && equalBytes(contentHash(content), read.value.statement.content)
  );
}

async function post(
  tx: Tx,
  parts: RestoreParts,
  index: number,
  entry: Extract<Entry, { type: 'post' }>,
  content: Content | null,
  signed: SignedHead,
): Promise<void> {
  const read = readPost(entry.embedded);
  if (!read.ok) throw new Error(`entry ${index} holds a ${read.reason}`);
  const { agent } = read.value.statement;
  const key = agent === null ? null : await readKeyState(tx, OWN_LOG, agent);
  const keySeq = key?.seq ?? null;
  const restored = { entry, index, post: read.value, content, keySeq };
  await restorePost(tx, parts, restored, signed);
}

async function restoreEntry(
  tx: Tx,
  index: number,
  entry: Entry,
  lost: Set<number>,
): Promise<void> {
  switch (entry.type) {
    case 'board':
      await tx.query(
        'UPDATE log_state SET identity = $2 WHERE origin_id = $1',
        [OWN_LOG, entry.embedded],
      );
      break;
    case 'key': {
      const chain = await loadKeyChain(tx, OWN_LOG, entry.agent);
      const step = stepKeyChain(chain, entry.embedded);
      if (!step.ok || step.value.kind === 'repeat') break;
      await storeKeyStep(tx, OWN_LOG, index, entry.at, step.value);
      break;
    }
    case 'remove':
      await restoreRemoval(tx, index, entry, !lost.has(entry.id));
      lost.delete(entry.id);
      break;
    case 'decision':
      await restoreDecision(tx, index, entry);
      break;
    case 'poll':
      await restorePollEnd(tx, entry);
      break;
    default: // anchors and evidence speak of others
  }
}

async function storeLeaf(
  tx: Tx,
  index: number,
  leaf: string,
  entry: Entry | UnknownEntry | null,
): Promise<void> {
  const head = parseEntryHead(leaf);
  const about = aboutOf(entry);
  await tx.query(
    `INSERT INTO log_entry (origin_id, idx, type, message_id, agent_id,
       message_hash, leaf, leaf_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      OWN_LOG,
      index,
      head?.type ?? 'unknown',
      about.messageId,
      about.agentId,
      about.messageHash === null ? null : Buffer.from(about.messageHash),
      Buffer.from(leaf),
      Buffer.from(leafHash(leaf)),
    ],
  );
}

type About = {
  messageId: number | null;
  agentId: string | null;
  messageHash: Uint8Array | null;
};

/** What the ledger keeps beside a leaf when it appends it. */
function aboutOf(entry: Entry | UnknownEntry | null): About {
  const none = { messageId: null, agentId: null, messageHash: null };
  switch (entry?.type) {
    case 'post': {
      const read = readPost(entry.embedded);
      if (!read.ok) return none;
      const { statement, text } = read.value;
      const hash = messageHash(text);
      return {
        messageId: entry.id,
        agentId: statement.agent,
        messageHash: hash,
      };
    }
    case 'key':
      return { ...none, agentId: entry.agent };
    case 'remove':
    case 'decision':
      return { ...none, messageId: entry.id, messageHash: entry.target };
    case 'poll':
      return { ...none, messageId: entry.id };
    default:
      return none;
  }
}

async function storeTree(tx: Tx, { nodes }: VerifiedPage): Promise<void> {
  const inner = nodes.filter(({ level }) => level > 0);
  await tx.query(
    `INSERT INTO log_node (origin_id, level, idx, hash)
     SELECT $1, * FROM unnest($2::smallint[], $3::bigint[], $4::bytea[])`,
    [
      OWN_LOG,
      inner.map(({ level }) => level),
      inner.map(({ index }) => index),
      inner.map(({ hash }) => Buffer.from(hash)),
    ],
  );
}
