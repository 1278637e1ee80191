import { Progress } from '../../client/cli/progress.js';
import { ready as signingReady } from '../../protocol/signing.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { type JsonOption, print } from '../../server/cli/output.js';
import { requireSeed } from '../../server/cli/tool-database.js';
import { systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import { openBoard } from '../../server/ledger/genesis.js';
import { RollbackGuard } from '../../server/ledger/rollback-guard.js';
import { readStartFiles } from '../../server/ledger/start-plan.js';
import { silentLogger } from '../../server/logger.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import { newestLog } from '../restore/find-mirrors.js';
import { beginLater } from '../restore/find-restore-point.js';
import { type RestoreReport, restoreLog } from '../restore/restore-log.js';
import { ownMirrors } from '../witness/own-mirrors.js';
import { mirrorUrls, withOwnLog } from './with-local-board.js';

type Flags = JsonOption & { from?: string[] };

/** `closed` says why writes are still closed; null where they are open. */
type Restored = RestoreReport & { closed: string | null };

/**
 * `log restore`: pulls what the log lacks from mirrors of it, before the node
 * starts on an empty database or beside one whose guard is closed.
 */
export async function logRestore(flags: Flags): Promise<void> {
  const { json = false, from = [] } = flags;
  const config = parseConfig(process.env);
  const progress = new Progress('restoring', json);
  const report = await restoreOwn(config, from, (size, of) =>
    progress.at(size, of, ' entries'),
  );
  progress.end();
  print(json, { ok: true, ...report }, textOf(report));
}

/** The same for programs and tests: `urls` empty means every active peer. */
export async function restoreOwn(
  config: Config,
  urls: readonly string[],
  onProgress: (size: number, of: number) => void = () => {},
): Promise<Restored> {
  await signingReady;
  const boardSeed = await requireSeed(config);
  await readStartFiles(config);
  return await withOwnLog(config, async (db, client) => {
    // Nothing is signed here: the log is opened empty where there is none.
    const never = () => Promise.resolve(false);
    const unsigned = { mayAppend: never, mayBegin: never };
    const { own } = await openBoard(db, config, systemClock, unsigned);
    const from = await mirrorUrls(db, urls);
    if (from.length === 0) {
      throw new CommandFailure(
        'There is no active peer to restore from; name mirrors with --from <url>.',
      );
    }
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
    const parts = { ...setting, db, client, keys, onProgress };
    const report = await restoreLog(parts, from);
    const guard = new RollbackGuard({ ...config, db, log: silentLogger });
    guard.ask(ownMirrors({ db, client, logVkey: keys.log.vkey }));
    await guard.check();
    return { ...report, closed: guard.closed };
  });
}

function textOf({ pulled, size, messages, lost, from, closed }: Restored) {
  const lines = [
    `Pulled ${pulled} entries from ${from.join(', ')}; the log has ${size}.`,
    `Restored ${messages} messages and their request_ids, keys, decisions and polls.`,
    'Not recoverable: ratings and ballots of networks, the explanations of decisions, reports, drafts and counters.',
  ];
  if (lost.length > 0) {
    lines.push(
      `No mirror kept the text of ${lost.length} messages, which were removed: ${lost.join(', ')}.`,
    );
  }
  lines.push(
    closed === null
      ? 'Writes are open; a node that runs notices it within 30 seconds.'
      : `Writes stay closed: ${closed}.`,
  );
  return lines.join('\n');
}
