import { Progress } from '../../client/cli/progress.js';
import { fingerprintOf, formatVkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import {
  assertAgreed,
  type JsonOption,
  print,
} from '../../server/cli/output.js';
import { databaseExists, requireSeed } from '../../server/cli/tool-database.js';
import { systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import { type OpenedBoard, openBoard } from '../../server/ledger/genesis.js';
import { updateHeadFile } from '../../server/ledger/head-file-writer.js';
import { fileConflict } from '../../server/ledger/rollback-checks.js';
import { RollbackGuard } from '../../server/ledger/rollback-guard.js';
import { readStartFiles } from '../../server/ledger/start-plan.js';
import { silentLogger } from '../../server/logger.js';
import { ownMirrors } from '../witness/own-mirrors.js';
import { withOwnLog } from './with-local-board.js';

const WARNING = [
  'This begins a log with the seed in use, and signs its first entry.',
  'Do it only if this seed has never signed anything. If it has, peers take two logs under one key for fraud and refuse the board for good: run "reserve-board log restore --from <peer>" instead.',
];

type Flags = JsonOption & { yes?: boolean };

/**
 * First entry with an existing seed, which the operator says never signed
 * (spec/board.md §16.22). Explains itself and asks on a terminal.
 */
export async function logBegin(flags: Flags): Promise<void> {
  const { json = false } = flags;
  const config = parseConfig(process.env);
  await requireSeed(
    config,
    ' A new board needs no seed: "reserve-board start" makes one and begins the log with it.',
  );
  await assertNoneLost(config);
  await assertAgreed(flags, WARNING, 'begin');
  const progress = new Progress('beginning', json);
  const { own, first } = await progress.during(beginOwn(config));
  const vkey = formatVkey(own.keys.log.vkey);
  print(
    json,
    { ok: true, begun: first, origin: own.origin, log_vkey: vkey },
    first
      ? `The log ${own.origin} is begun, under the key\n  ${vkey}\n  fingerprint ${fingerprintOf(vkey)}\nWrites are open; a node that runs notices it within 10 seconds.`
      : `The log ${own.origin} was begun before; nothing was changed.`,
  );
}

/** For programs and tests. */
export async function beginOwn(config: Config): Promise<OpenedBoard> {
  await requireSeed(config);
  await assertNoneLost(config);
  return await withOwnLog(config, async (db, client) => {
    const guard = new RollbackGuard({ ...config, db, log: silentLogger });
    const board = await openBoard(
      db,
      config,
      systemClock,
      {
        // A recorded log stays unchanged.
        mayAppend: () => Promise.resolve(false),
        mayBegin: async ({ keys }) => {
          guard.ask(ownMirrors({ db, client, keys }));
          return await guard.mayBegin();
        },
      },
      true,
    );
    if (board.first) await updateHeadFile(db, config.dataDir, systemClock);
    if (board.begun) return board;
    await guard.check();
    throw notBegun(guard.closed ?? 'another process works on it; try again');
  });
}

/** @throws CommandFailure before a database is made beside a head file. */
async function assertNoneLost(config: Config): Promise<void> {
  const { head } = await readStartFiles(config);
  if (await databaseExists(config)) return;
  const doubt = await fileConflict(null, head, false);
  if (doubt !== null) throw notBegun(doubt);
}

function notBegun(doubt: string): CommandFailure {
  return new CommandFailure(`The log cannot be begun: ${doubt}.`);
}
