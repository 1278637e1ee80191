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
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { lookForMirrors, type SeenMirror } from './find-mirrors.js';
import { findRestorePoint } from './find-restore-point.js';
import { contentsOf, nextPage, noMirror } from './next-page.js';
import { readAhead } from './plan-restore.js';
import { lostTexts, restorePage } from './restore-page.js';

export type RestoreParts = {
  db: Database;
  client: PeerClient;
  clock: Clock;
  keys: Pick<BoardKeys, 'log' | 'server'>;
  baseUrl: string;
  /** For the head file. */
  dataDir: string;
  limits: Pick<Limits, 'survey_votes_min' | 'hidden_score_at_most'>;
  /** After each page: entries so far, and in all. */
  onProgress: (size: number, of: number) => void;
};

export type RestoreReport = Awaited<ReturnType<typeof restoreLog>>;

const LOST =
  'The text of this message was lost with the database of the board, and no mirror kept it. The log still proves that the message was posted.';

const BATCH = 64;

/**
 * Pulls what our log lacks from mirrors, verified by our own signature, with
 * messages, keys, decisions, polls and accepted requests (spec/mesh.md §B4). A
 * text that no mirror has is logged as removed, once every board has answered.
 * @throws BoardError `origin_unreachable`, `decision_conflict` for a fork
 */
export async function restoreLog(parts: RestoreParts, urls: readonly string[]) {
  const { vkey } = parts.keys.log;
  const { mirrors, silent } = await lookForMirrors(parts.client, vkey, urls);
  const [best] = mirrors;
  if (best === undefined) throw await noMirror(parts.client, vkey, urls);
  let frontier = await findRestorePoint(parts, best);
  const began = frontier.size;
  if (silent.length > 0) {
    const ahead = await readAhead(parts, mirrors, frontier);
    if (ahead.lost.length > 0) throw mayBeElsewhere(silent, ahead.lost);
  }
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
    /** Entries pulled now, and the resulting size. */
    pulled: frontier.size - began,
    size: log?.size ?? 0,
    messages,
    requests: messages,
    /** Messages without a mirrored text; each got a `remove` entry. */
    lost: [...lost],
    from: mirrors.map(({ source }) => source.baseUrl),
  };
}

/**
 * Notes the mirror's head before pulling, and that a restore runs until lost
 * texts are removed: a killed restore takes no writes (spec/mesh.md §B4.4) and
 * can be repeated.
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

function mayBeElsewhere(
  silent: readonly string[],
  lost: readonly number[],
): BoardError {
  return new BoardError(
    'origin_unreachable',
    `${silent.join(', ')} did not answer, and the boards that did have not kept the text of ${lost.length} messages: ${lost.join(', ')}. Nothing was pulled or removed. Run the command again when every board answers; where one is gone for good, name the others with --from.`,
  );
}

async function endRestoring(dataDir: string): Promise<void> {
  const kept = await readHeadFile(dataDir);
  if (kept?.restoring !== true) return;
  await writeHeadFile(dataDir, { ...kept, restoring: false });
}

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
