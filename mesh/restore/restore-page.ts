import type { Content } from '../../protocol/content.js';
import type { Entry } from '../../protocol/entry.js';
import type { FeedPage, VerifiedPage } from '../../protocol/feed-page.js';
import { stepKeyChain } from '../../protocol/key.js';
import { messageHash } from '../../protocol/statement.js';
import { LogState } from '../../server/db/entities/log.js';
import type { Tx } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { lockHead } from '../../server/ledger/head.sql.js';
import {
  loadKeyChain,
  readKeyState,
  storeKeySteps,
} from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { headNote, moveCursor, reachedHead } from '../pull/store/apply-page.js';
import { storeLog } from '../pull/store/log.sql.js';
import { entryRow } from '../pull/verify/judged.js';
import { type ParsedLeaf, parseLeaf } from '../pull/verify/prepare-page.js';
import {
  restoreDecision,
  restorePollEnd,
  restoreRemoval,
} from './restore-decision.js';
import type { RestoreParts } from './restore-log.js';
import { restorePost } from './restore-post.js';

/**
 * Writes a verified page of our log with its effects; returns the number of
 * messages. `contents` are verified, by index; `lost` collects ids without
 * text.
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
  const { from } = page;
  if (head.frontier.size !== from) {
    throw new BoardError(
      'decision_conflict',
      'Another command or a node wrote this log meanwhile. What was pulled stays; stop the other one and run the command again.',
    );
  }
  const leaves = page.entries.map(parseLeaf);
  const { origin, size } = verified.checkpoint;
  const checkpoint = headNote(verified, parts.keys.log.vkey);
  const reached = reachedHead(verified, checkpoint);
  const ats = leaves.map(({ entry }) => entry?.at ?? 0);
  const lastAt = Math.max(head.lastAt, ...ats);
  const rows = leaves.map((leaf, place) => rowOf(leaf, from + place));
  await storeLog(tx, OWN_LOG, reached, rows, verified.nodes, lastAt);
  let messages = 0;
  let { lastMessageId } = head;
  for (const [place, { entry, post }] of leaves.entries()) {
    const index = from + place;
    if (entry?.type === 'post' && post !== null) {
      lastMessageId = Math.max(lastMessageId, entry.id);
      const content = contents.get(index) ?? null;
      messages += 1;
      if (content === null) lost.add(entry.id);
      const { agent } = post.statement;
      const key =
        agent === null ? null : await readKeyState(tx, OWN_LOG, agent);
      const keySeq = key?.seq ?? null;
      const restored = { entry, index, post, content, keySeq };
      await restorePost(tx, parts, restored, { origin, size, checkpoint });
    } else if (entry !== null && entry.type !== 'unknown') {
      await restoreEntry(tx, index, entry, lost);
    }
  }
  const { frontier } = verified;
  const end = { originId: OWN_LOG, frontier, lastMessageId, lastAt };
  await moveCursor(tx, from, end, reached);
  return messages;
}

async function restoreEntry(
  tx: Tx,
  index: number,
  entry: Entry,
  lost: Set<number>,
): Promise<void> {
  switch (entry.type) {
    case 'board':
      await tx.manager.update(
        LogState,
        { originId: OWN_LOG },
        { identity: entry.embedded },
      );
      break;
    case 'key': {
      const chain = await loadKeyChain(tx, OWN_LOG, entry.agent);
      const stepped = stepKeyChain(chain, entry.embedded);
      if (!stepped.ok || stepped.value.kind === 'repeat') break;
      const step = { index, at: entry.at, step: stepped.value };
      await storeKeySteps(tx, OWN_LOG, [step]);
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
    default: // anchors and evidence are about others
  }
}

function rowOf({ leaf, entry, head, post }: ParsedLeaf, index: number) {
  const row = entryRow(index, head?.type ?? 'unknown', leaf);
  if (post !== null) {
    row.agentId = post.statement.agent;
    row.messageHash = messageHash(post.text);
  }
  if (entry?.type === 'key') row.agentId = entry.agent;
  if (entry !== null && 'id' in entry) row.messageId = entry.id;
  if (entry !== null && 'target' in entry) row.messageHash = entry.target;
  return row;
}
