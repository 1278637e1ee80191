import type { Content } from '../../protocol/content.js';
import { contentFromJson } from '../../protocol/content.js';
import { parseEntryHead } from '../../protocol/entry.js';
import {
  type FeedPage,
  type VerifiedPage,
  verifyFeedPage,
} from '../../protocol/feed-page.js';
import type { Frontier } from '../../protocol/frontier.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import { Events } from '../../server/db/events.js';
import { BoardError } from '../../server/errors.js';
import { type Job, runBatch } from '../../server/ledger/batch.js';
import { readHeadFile, writeHeadFile } from '../../server/ledger/head-file.js';
import { keepHead } from '../../server/ledger/head-file-writer.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import type { Limits } from '../../server/limits.js';
import { eraseMessage } from '../../server/moderation/tombstone.js';
import { fetchContent, fetchPage } from '../pull/fetch/fetch-page.js';
import { findMirrors } from './find-mirrors.js';
import { makeRoom } from './find-restore-point.js';
import { isContentOf, restorePage } from './restore-page.js';
import type {
  OwnMirror,
  RestoreParts,
  RestoreReport,
} from './restore-parts.js';

const LOST =
  'The text of this message was lost with the database of the board, and no mirror kept it. The log still proves that the message was posted.';

const BATCH = 64;

export type RestoreOptions = {
  limits: Pick<Limits, 'survey_votes_min'>;
  /** After each page: entries so far, and how many there are. */
  onProgress?: (size: number, of: number) => void;
};

/**
 * Pulls what our own log lacks from its mirrors, every page verified against
 * our own signature, and with it messages, keys, decisions, polls and the
 * table of accepted requests (spec/mesh.md §B4, rollback guard). Texts that one
 * mirror lacks are asked of the others; what nobody kept is logged as removed.
 *
 * @throws BoardError `origin_unreachable`, `decision_conflict` for a fork.
 */
export async function restoreLog(
  parts: RestoreParts,
  urls: readonly string[],
  { limits, onProgress }: RestoreOptions,
): Promise<RestoreReport> {
  const mirrors = await findMirrors(parts, urls);
  const [best] = mirrors;
  if (best === undefined) throw new Error('no mirror was found');
  let frontier = await makeRoom(parts, best);
  await rememberGoal(parts, best);
  const began = frontier.size;
  const lost = new Set<number>();
  let messages = 0;
  while (frontier.size < best.size) {
    const { page, verified } = await nextPage(parts, best, frontier);
    const contents = await contentsOf(parts, page, mirrors);
    messages += await parts.db.transaction((tx) =>
      restorePage(tx, parts, page, verified, contents, lost),
    );
    frontier = verified.frontier;
    onProgress?.(frontier.size, best.size);
  }
  await removeLost(parts, limits, [...lost]);
  await keepHead(parts.db, parts.dataDir, parts.clock);
  return {
    pulled: frontier.size - began,
    size: await sizeOf(parts),
    messages,
    requests: messages,
    lost: [...lost],
    from: mirrors.map(({ source }) => source.baseUrl),
  };
}

/**
 * Notes in the head file what the mirror shows before anything is pulled: a
 * restore that is killed leaves a log that takes no writes (spec/mesh.md §B13),
 * and goes on where it stopped when it is run again.
 */
async function rememberGoal(
  { dataDir, keys, clock }: RestoreParts,
  { size, root }: OwnMirror,
): Promise<void> {
  const kept = await readHeadFile(dataDir);
  const origin = keys.log.vkey.name;
  if (kept?.origin === origin && kept.size >= size) return;
  await writeHeadFile(dataDir, {
    origin,
    size,
    root,
    lastMessageId: kept?.lastMessageId ?? 0,
    time: clock.now(),
    restored: kept?.restored ?? false,
  });
}

async function nextPage(
  { client, keys, signal }: RestoreParts,
  { source }: OwnMirror,
  frontier: Frontier,
): Promise<{ page: FeedPage; verified: VerifiedPage }> {
  const wish = {
    from: frontier.size,
    limit: FEED_ENTRIES,
    content: 'all' as const,
    wait: 0,
  };
  const { vkey } = keys.log;
  const page = await fetchPage(client, source, vkey, wish, signal);
  const verified = page.ok ? verifyFeedPage(page.value, frontier, vkey) : page;
  if (page.ok && verified.ok) {
    return { page: page.value, verified: verified.value };
  }
  const reason = verified.ok ? 'no page' : verified.reason;
  throw new BoardError(
    'origin_unreachable',
    `The mirror at ${source.baseUrl} gave no good page after ${frontier.size} entries (${reason}); what was pulled stays, run the command again or name another mirror with --from.`,
  );
}

/** The verified texts of a page, from whichever mirror has them. */
async function contentsOf(
  parts: RestoreParts,
  page: FeedPage,
  mirrors: readonly OwnMirror[],
): Promise<Map<number, Content>> {
  const contents = new Map<number, Content>();
  for (const [place, { leaf, content }] of page.entries.entries()) {
    if (parseEntryHead(leaf)?.type !== 'post') continue;
    const index = page.from + place;
    const found =
      typeof content === 'object' &&
      content !== null &&
      isContentOf(leaf, content)
        ? content
        : await contentElsewhere(parts, leaf, index, mirrors);
    if (found !== null) contents.set(index, found);
  }
  return contents;
}

async function contentElsewhere(
  { client, signal }: RestoreParts,
  leaf: string,
  index: number,
  mirrors: readonly OwnMirror[],
): Promise<Content | null> {
  for (const { source, size } of mirrors.slice(1)) {
    if (size <= index) continue;
    const answer = await fetchContent(client, source, index, signal);
    const content = answer.ok ? contentFromJson(answer.value) : answer;
    if (content.ok && isContentOf(leaf, content.value)) return content.value;
  }
  return null;
}

/** Lost texts are removals like others: public, logged, and final. */
async function removeLost(
  { db, clock, keys }: RestoreParts,
  limits: RestoreOptions['limits'],
  ids: readonly number[],
): Promise<void> {
  const board = { limits, events: new Events() };
  const jobs = ids.map((id): Job<unknown> => {
    const ruling = {
      id,
      reason: 'other',
      explanation: LOST,
      operator: 'operator',
    } as const;
    return (turn) => eraseMessage(turn, ruling, board);
  });
  for (let at = 0; at < jobs.length; at += BATCH) {
    const batch = jobs.slice(at, at + BATCH);
    await db.transaction((tx) => runBatch(tx, batch, clock, keys.log, ''));
  }
}

async function sizeOf({ db }: RestoreParts): Promise<number> {
  const [row] = await db.query<{ size: number }>(
    'SELECT size FROM log_state WHERE origin_id = $1',
    [OWN_LOG],
  );
  return row?.size ?? 0;
}
