import type { Content } from '../../protocol/content.js';
import type { FeedPage } from '../../protocol/feed-page.js';
import type { Frontier } from '../../protocol/tree.js';
import type { Vkey } from '../../protocol/vkey.js';
import type { Clock } from '../../server/clock.js';
import { LogState } from '../../server/db/entities/log.js';
import { Events } from '../../server/db/events.js';
import type { Database } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { type BatchJob, runBatch } from '../../server/ledger/append.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import { readHeadFile, writeHeadFile } from '../../server/ledger/head-file.js';
import { updateHeadFile } from '../../server/ledger/head-file-writer.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import type { Limits } from '../../server/limits.js';
import { eraseMessage } from '../../server/moderation/index.js';
import { fetchContent } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { matching } from '../pull/verify/judge-post.js';
import { parseLeaf } from '../pull/verify/prepare-page.js';
import {
  lookForMirrors,
  type SeenMirror,
  verifiedPage,
} from './find-mirrors.js';
import { findRestorePoint } from './find-restore-point.js';
import { headsWithin } from './heads-within.js';
import { lostTexts } from './lost-texts.js';
import { restorePage } from './restore-page.js';

/** What a restore needs: no running board, only its keys and a database. */
export type RestoreParts = {
  db: Database;
  client: PeerClient;
  clock: Clock;
  keys: Pick<BoardKeys, 'log' | 'server'>;
  baseUrl: string;
  /** With the head file. */
  dataDir: string;
  limits: Pick<Limits, 'survey_votes_min' | 'hidden_score_at_most'>;
  /** After each page: entries so far, and how many there are. */
  onProgress: (size: number, of: number) => void;
};

export type RestoreReport = Awaited<ReturnType<typeof restoreLog>>;

const LOST =
  'The text of this message was lost with the database of the board, and no mirror kept it. The log still proves that the message was posted.';

const BATCH = 64;

/**
 * Pulls what our own log lacks from its mirrors, every page verified against
 * our own signature, and with it messages, keys, decisions, polls and the
 * table of accepted requests (spec/mesh.md §B4, rollback guard). Texts that one
 * mirror lacks are asked of the others; one that none kept is logged as removed.
 *
 * @throws BoardError `origin_unreachable`, `decision_conflict` for a fork.
 */
export async function restoreLog(parts: RestoreParts, urls: readonly string[]) {
  const { vkey } = parts.keys.log;
  const mirrors = await lookForMirrors(parts.client, vkey, urls);
  const [best] = mirrors;
  if (best === undefined) throw noMirror(vkey, urls);
  let frontier = await findRestorePoint(parts, best);
  const began = frontier.size;
  const lost = new Set(await lostTexts(parts.db));
  if (began < best.size || lost.size > 0) await rememberGoal(parts, best);
  const turns = [...mirrors];
  let messages = 0;
  while (frontier.size < best.size) {
    const next = await nextPage(parts, turns, frontier);
    const { page, verified } = next;
    const contents = await contentsOf(parts, next, turns);
    messages += await parts.db.transaction((tx) =>
      restorePage(tx, parts, page, verified, contents, lost),
    );
    frontier = verified.frontier;
    parts.onProgress(frontier.size, best.size);
  }
  await removeLost(parts, [...lost]);
  await endRestoring(parts.dataDir);
  await updateHeadFile(parts.db, parts.dataDir, parts.clock);
  const own = { originId: OWN_LOG };
  const log = await parts.db.manager.findOneBy(LogState, own);
  return {
    /** Entries pulled now, and the size of the log afterwards. */
    pulled: frontier.size - began,
    size: log?.size ?? 0,
    messages,
    requests: messages,
    /** Messages whose text no mirror kept; each got a `remove` entry. */
    lost: [...lost],
    from: mirrors.map(({ source }) => source.baseUrl),
  };
}

/**
 * Notes in the head file what the mirror shows before anything is pulled, and
 * that a restore is under way until lost texts are removed: one that is killed
 * leaves a log that takes no writes (spec/mesh.md §B13), and goes on where it
 * stopped when it is run again.
 */
async function rememberGoal(
  { dataDir, keys, clock }: RestoreParts,
  { size, root }: SeenMirror,
): Promise<void> {
  const kept = await readHeadFile(dataDir);
  const origin = keys.log.vkey.name;
  const isAhead = kept?.origin === origin && kept.size >= size;
  const goal = isAhead
    ? kept
    : {
        origin,
        size,
        root,
        lastMessageId: kept?.lastMessageId ?? 0,
        time: clock.now(),
        restored: kept?.restored ?? false,
      };
  await writeHeadFile(dataDir, { ...goal, restoring: true });
}

async function endRestoring(dataDir: string): Promise<void> {
  const kept = await readHeadFile(dataDir);
  if (kept?.restoring !== true) return;
  await writeHeadFile(dataDir, { ...kept, restoring: false });
}

export function noMirror(vkey: Vkey, urls: readonly string[]): BoardError {
  return new BoardError(
    'origin_unreachable',
    `None of ${urls.length} boards shows a mirror of ${vkey.name} under this board's own signature; name others with --from.`,
  );
}

/**
 * The next page, verified, from the first mirror that gives a good one. One
 * that does not goes to the end of `turns`, where it is asked last.
 *
 * @throws BoardError `decision_conflict` where the head of another mirror is of
 * another history: which of them peers and readers follow is not known here.
 */
export async function nextPage(
  { client }: Pick<RestoreParts, 'client'>,
  turns: SeenMirror[],
  frontier: Frontier,
) {
  const faults: string[] = [];
  for (const mirror of [...turns]) {
    if (mirror.size <= frontier.size) continue;
    const next = await verifiedPage(client, mirror, frontier, 'all');
    // It has shown more, so an empty page is none.
    const isGood = next.ok && next.value.page.entries.length > 0;
    if (isGood) {
      const { other } = headsWithin(turns, frontier, next.value.page);
      if (other[0] !== undefined) throw twoHistories(mirror, other[0]);
      return { ...next.value, mirror };
    }
    const fault = next.ok ? 'an empty page' : next.reason;
    faults.push(`${mirror.source.baseUrl} (${fault})`);
    turns.splice(turns.indexOf(mirror), 1);
    turns.push(mirror);
  }
  throw new BoardError(
    'origin_unreachable',
    `No mirror gave a good page after ${frontier.size} entries: ${faults.join(', ')}; what was pulled stays, run the command again or name another mirror with --from.`,
  );
}

function twoHistories(one: SeenMirror, other: SeenMirror): BoardError {
  const of = ({ source, size }: SeenMirror) =>
    `${source.baseUrl} (${size} entries)`;
  return new BoardError(
    'decision_conflict',
    `The mirrors ${of(one)} and ${of(other)} hold two histories of one log, and this board's key has signed both. Neither can be dropped, and nothing was signed here: go on with "reserve-board log new-generation", as the page "Quarantined by peers" of docs/recover.md says.`,
  );
}

/** The verified texts of a page, from its mirror or from one of the others. */
export async function contentsOf(
  parts: Pick<RestoreParts, 'client'>,
  { page, mirror }: { page: FeedPage; mirror: SeenMirror },
  mirrors: readonly SeenMirror[],
): Promise<Map<number, Content>> {
  const contents = new Map<number, Content>();
  const others = mirrors.filter((one) => one !== mirror);
  for (const [place, entry] of page.entries.entries()) {
    const { post, content } = parseLeaf(entry);
    if (post === null) continue;
    const index = page.from + place;
    const hash = post.statement.content;
    const found =
      matching(content, hash) ??
      (await contentElsewhere(parts, hash, index, others));
    if (found !== null) contents.set(index, found);
  }
  return contents;
}

async function contentElsewhere(
  { client }: Pick<RestoreParts, 'client'>,
  contentHash: Uint8Array,
  logIndex: number,
  mirrors: readonly SeenMirror[],
): Promise<Content | null> {
  for (const { source, size } of mirrors) {
    if (size <= logIndex) continue;
    const post = { logIndex, contentHash };
    const content = await fetchContent(client, source, post);
    if (typeof content !== 'string') return content;
  }
  return null;
}

/** Lost texts are removals like others: public, logged, and final. */
async function removeLost(
  { db, clock, keys, limits }: RestoreParts,
  ids: readonly number[],
): Promise<void> {
  const board = { limits, events: new Events() };
  const jobs = ids.map((id): BatchJob<unknown> => {
    const why = { reason: 'other', explanation: LOST } as const;
    const decision = { id, ...why, operator: 'operator' };
    return { run: (context) => eraseMessage(context, decision, board) };
  });
  for (let at = 0; at < jobs.length; at += BATCH) {
    const batch = jobs.slice(at, at + BATCH);
    await db.transaction((tx) =>
      runBatch(tx, batch, { clock, logKey: keys.log }),
    );
  }
}
