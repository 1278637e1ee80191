import { CommandFailure } from '../../server/cli/failure.js';
import { hasTables } from '../../server/cli/node.sql.js';
import { type JsonOption, print, shown } from '../../server/cli/output.js';
import {
  databaseExists,
  requireSeed,
  withOwnDatabase,
} from '../../server/cli/tool-database.js';
import { systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import type { Database } from '../../server/db/sql.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import { openBoard } from '../../server/ledger/genesis.js';
import { RollbackGuard } from '../../server/ledger/rollback-guard.js';
import { planStart, readStartFiles } from '../../server/ledger/start-plan.js';
import { silentLogger } from '../../server/logger.js';
import { withAdvisoryLock } from '../../server/operations/index.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { newestLog } from '../restore/find-mirrors.js';
import { beginLater } from '../restore/find-restore-point.js';
import {
  type Beside,
  besideTheLog,
  planRestore,
  type RestorePlan,
} from '../restore/plan-restore.js';
import { type RestoreReport, restoreLog } from '../restore/restore-log.js';
import { ownMirrors } from '../witness/own-mirrors.js';
import { mirrorUrls, withClient, withOwnLog } from './with-local-board.js';

type Flags = JsonOption & { from?: string[]; dryRun?: boolean };

/** `closed`: why writes are closed, or null. */
type Restored = RestoreReport & { closed: string | null; beside: Beside };

/** From mirrors, before the node starts on an empty or rolled back database. */
export async function logRestore(flags: Flags): Promise<void> {
  const { json = false, from = [] } = flags;
  const config = parseConfig(process.env);
  if (flags.dryRun) {
    const plan = await shown('reading', ' entries', json, (onProgress) =>
      planOwn(config, from, onProgress),
    );
    return print(json, { ok: true, dry_run: true, ...plan }, planText(plan));
  }
  const report = await shown('restoring', ' entries', json, (onProgress) =>
    restoreOwn(config, from, onProgress),
  );
  print(json, { ok: true, ...report }, textOf(report));
}

/** `--dry-run`, for programs and tests: writes nothing. */
export async function planOwn(
  config: Config,
  urls: readonly string[],
  onProgress: (size: number, of: number) => void = () => {},
): Promise<RestorePlan & { beside: Beside }> {
  const boardSeed = await requireSeed(config);
  const plan = async (db: Database | null) => {
    const sql = db !== null && (await hasTables(db)) ? db : null;
    const { own } = await planStart(sql, config, systemClock.now());
    const from = sql === null ? urls : await mirrorUrls(sql, urls);
    if (from.length === 0) throw nobodyToAsk();
    return await withClient(config, async (client) => {
      const keysOf = (origin: string) =>
        boardKeys({ ...config, boardSeed }, own.board, origin);
      const vkeyOf = (origin: string) => keysOf(origin).log.vkey;
      const newest = await newestLog(client, own.board, from, vkeyOf);
      const isLater = newest !== null && isLaterLog(newest, own.origin);
      const keys = isLater ? keysOf(newest) : own.keys;
      const found = await planRestore({ client, keys, onProgress }, sql, from);
      return { ...found, beside: await besideTheLog(sql) };
    });
  };
  if (!(await databaseExists(config))) return await plan(null);
  return await withOwnDatabase(config, plan);
}

function nobodyToAsk(): CommandFailure {
  return new CommandFailure(
    'There is no active peer to restore from; name mirrors with --from <url>.',
  );
}

/** For programs and tests; `urls` empty: all active peers. */
export async function restoreOwn(
  config: Config,
  urls: readonly string[],
  onProgress: (size: number, of: number) => void = () => {},
): Promise<Restored> {
  const boardSeed = await requireSeed(config);
  await readStartFiles(config);
  return await withOwnLog(config, async (db, client) => {
    const restored = await withAdvisoryLock(db, 'log restore', () =>
      restoreHere({ config, boardSeed, db, client, onProgress }, urls),
    );
    if (restored !== null) return restored;
    throw new CommandFailure(
      'Another "log restore" works on this database; wait until it has ended.',
    );
  });
}

async function restoreHere(
  parts: {
    config: Config;
    boardSeed: string;
    db: Database;
    client: PeerClient;
    onProgress: (size: number, of: number) => void;
  },
  urls: readonly string[],
): Promise<Restored> {
  const { config, boardSeed, db, client, onProgress } = parts;
  // Signs nothing: an empty log is opened where there is none.
  const never = () => Promise.resolve(false);
  const unsigned = { mayAppend: never, mayBegin: never };
  const { own } = await openBoard(db, config, systemClock, unsigned);
  const from = await mirrorUrls(db, urls);
  if (from.length === 0) throw nobodyToAsk();
  const keysOf = (origin: string) =>
    boardKeys({ ...config, boardSeed }, own.board, origin);
  let { keys } = own;
  const vkeyOf = (origin: string) => keysOf(origin).log.vkey;
  const origin = await newestLog(client, own.board, from, vkeyOf);
  if (origin !== null && isLaterLog(origin, own.origin)) {
    keys = keysOf(origin);
    await beginLater(db, { board: own.board, origin, keys });
  }
  const { baseUrl, dataDir, limits } = config;
  const setting = { baseUrl, dataDir, limits, clock: systemClock };
  const board = { ...setting, db, client, keys, onProgress };
  const report = await restoreLog(board, from);
  const guard = new RollbackGuard({ ...config, db, log: silentLogger });
  guard.ask(ownMirrors({ db, client, keys }));
  await guard.check();
  const beside = await besideTheLog(db);
  return { ...report, closed: guard.closed, beside };
}

function planText(plan: RestorePlan & { beside: Beside }): string {
  const { pulled, size, messages, lost, lostGuests, from, silent, beside } =
    plan;
  return [
    `Nothing was changed. A restore would pull ${pulled} entries from ${from.join(', ')}, with ${messages} messages; the log would have ${size}.`,
    lost.length === 0
      ? 'Every text is on one of these boards.'
      : `No mirror kept the text of ${lost.length} messages, ${lostGuests} of them of guests; these would be removed in public, for good: ${lost.join(', ')}. Name further boards with --from if they may have them.`,
    ...(silent.length === 0
      ? []
      : [
          `${silent.join(', ')} did not answer, and may have more${lost.length === 0 ? '' : '; while a text is missing, a restore waits for every board that it asks'}.`,
        ]),
    ...notInLog(beside),
  ].join('\n');
}

/** With what to do about it. */
function notInLog(beside: Beside): string[] {
  return [
    'Not recoverable from a log: ratings and ballots of networks, the explanations of decisions, reports, drafts and counters.',
    ...besideText(beside),
  ];
}

export function besideText({ operators, peers }: Beside): string[] {
  return [
    operators === 0
      ? 'There is no operator here: "reserve-board operator invite <name> --role admin" prints a set-up link.'
      : `Operators: ${operators}, as they are in this database.`,
    peers === 0
      ? 'There is no peer here: "reserve-board peer policy import <file> --apply" takes what "peer policy export" wrote, "peer add <url>" adds one.'
      : `Peers: ${peers}, as they are in this database.`,
  ];
}

function textOf(restored: Restored): string {
  const { pulled, size, messages, lost, from, closed, beside } = restored;
  const lines = [
    `Pulled ${pulled} entries from ${from.join(', ')}; the log has ${size}.`,
    `Restored ${messages} messages and their request_ids, keys, decisions and polls.`,
    ...notInLog(beside),
  ];
  if (lost.length > 0) {
    lines.push(
      `No mirror kept the text of ${lost.length} messages, which were removed: ${lost.join(', ')}.`,
    );
  }
  lines.push(
    closed === null
      ? 'Writes are open; a node that runs notices it within 10 seconds.'
      : `Writes stay closed: ${closed}.`,
  );
  return lines.join('\n');
}
