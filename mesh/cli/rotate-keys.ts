import { parseLogOrigin } from '../../protocol/board-name.js';
import { fingerprintOf, formatVkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { assertNoNode } from '../../server/cli/node.sql.js';
import {
  assertAgreed,
  type JsonOption,
  print,
} from '../../server/cli/output.js';
import {
  requireMigrated,
  requireSeed,
  withOwnDatabase,
} from '../../server/cli/tool-database.js';
import { systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import { audited, commandLineActor } from '../../server/dashboard/audit.js';
import type { Database } from '../../server/db/sql.js';
import {
  boardKeys,
  cryptoReady,
  SIGNING,
  type SigningUse,
} from '../../server/ledger/board-keys.js';
import type { BoardIdentity } from '../../server/ledger/genesis.js';
import { lockGenesis } from '../../server/ledger/head.sql.js';
import { RollbackGuard } from '../../server/ledger/rollback-guard.js';
import {
  keepKey,
  keysFolder,
  newKeyLine,
  noteRotation,
  rotationUnderWay,
} from '../../server/ledger/rotated-keys.js';
import { planStart } from '../../server/ledger/start-plan.js';
import { silentLogger } from '../../server/logger.js';
import {
  newGeneration,
  peerCommand,
  withSignedAddress,
} from './log-new-generation.js';
import { askMirrors } from './with-local-board.js';

type Flags = JsonOption & { key: SigningUse; from?: string[]; yes?: boolean };

const SETTINGS: Record<SigningUse, string> = {
  log: 'BOARD_LOG_KEY',
  mirror: 'BOARD_MIRROR_KEY',
  node: 'BOARD_NODE_KEY',
};

/**
 * Into `DATA_DIR/keys` (spec/board.md §16.29). Mirror and node keys count from
 * the next start's identity; a log key begins a generation, signed by both
 * keys.
 */
export async function rotateKeys(flags: Flags): Promise<void> {
  const { json = false, key } = flags;
  const config = parseConfig(process.env);
  if (key === 'log') {
    return await rotateLog(await withSignedAddress(config), flags);
  }
  const { keys, board } = await rotateKey(config, key);
  const vkey = formatVkey(keys[key].vkey);
  print(
    json,
    { ok: true, board, key, vkey },
    [
      `The ${key} key of ${board} is now\n  ${vkey}\n  fingerprint ${fingerprintOf(vkey)}`,
      'Start the node: it signs an identity with this key, which linked boards take by themselves.',
      keepIt(config),
    ].join('\n'),
  );
}

export async function rotateKey(
  config: Config,
  use: Exclude<SigningUse, 'log'>,
): Promise<BoardIdentity> {
  const boardSeed = await rotatable(config, use);
  return await withOwnDatabase(config, async (db) => {
    const own = await readyLog(config, db);
    const board = { writes: db, clock: systemClock };
    const actor = commandLineActor();
    return await audited(board, actor, 'keys.rotate', async (tx) => {
      await lockGenesis(tx);
      await assertNoNode(tx);
      const kept = { name: use, line: newKeyLine(boardSeed) };
      await keepKey(config.dataDir, kept, { replace: true });
      const keys = boardKeys({ ...config, boardSeed }, own.board, own.origin);
      return {
        answer: { ...own, keys },
        subject: `key:${use}`,
        before: { vkey: formatVkey(own.keys[use].vkey) },
        after: { vkey: formatVkey(keys[use].vkey) },
      };
    });
  });
}

async function rotateLog(config: Config, flags: Flags): Promise<void> {
  const { json = false, from = [] } = flags;
  const { own, finished } = await rotateLogKey(config, from, () =>
    assertAgreed(flags, WARNING, 'rotate'),
  );
  const { board, origin, keys } = own;
  const command = peerCommand({ url: config.baseUrl, keys });
  const log_vkey = formatVkey(keys.log.vkey);
  print(
    json,
    { ok: true, board, origin, log_vkey, finished, peer_command: command },
    [
      finished
        ? `An earlier run began ${origin} already; this run changes nothing.`
        : `${board} goes on as ${origin}, which the former key has signed too.`,
      `Its log key is\n  ${log_vkey}\n  fingerprint ${fingerprintOf(log_vkey)}`,
      'Start the node. Linked boards show the new key as signed by the one they confirmed; their operators confirm it on the page "Mesh", or with:',
      `  ${command}`,
      keepIt(config),
    ].join('\n'),
  );
}

const WARNING = [
  'This ends the log and begins its next generation under a new key, which the present key signs too.',
  'Messages stay readable and keep their IDs. The operators of every linked board have to confirm the new key.',
];

/**
 * For programs and tests. Repeated before a start, it continues with the key it
 * made.
 */
export async function rotateLogKey(
  config: Config,
  urls: readonly string[] = [],
  agreed = async () => {},
): Promise<{ own: BoardIdentity; finished: boolean }> {
  const { dataDir } = config;
  const boardSeed = await rotatable(config, 'log');
  const own = await withOwnDatabase(config, (db) => readyLog(config, db));
  const generation = parseLogOrigin(own.origin)?.generation ?? 1;
  if ((await rotationUnderWay(dataDir)) === generation) {
    return { own, finished: true };
  }
  const next = generation + 1;
  const made = await newGeneration(config, {
    urls,
    agreed,
    prepare: async (past) => {
      if (past.origin !== own.origin) {
        throw new CommandFailure(
          `There is ${past.origin}, a later log than the ${own.origin} that this command has found: another command has begun it just now, or only a linked board mirrors it. Run this again; if it says so once more, run "reserve-board log restore" first.`,
        );
      }
      const kept = { name: `log${next}`, line: newKeyLine(boardSeed) };
      await keepKey(dataDir, kept, { replace: false });
      await noteRotation(dataDir, next);
    },
  });
  return { own: made, finished: false };
}

/** @throws CommandFailure where a setting overrides the key. */
async function rotatable(config: Config, use: SigningUse): Promise<string> {
  await cryptoReady();
  const setting = SETTINGS[use];
  if (config[SIGNING[use]] !== null) {
    const then =
      use === 'log'
        ? 'then run "reserve-board log new-generation --former-key-file <file>", with the present one in the file'
        : 'then start the node, which signs the new identity';
    throw new CommandFailure(
      `The ${use} key is set by ${setting}, so no key here would be used; set ${setting} to 64 other hex digits ("openssl rand -hex 32"), ${then}.`,
    );
  }
  return await requireSeed(config);
}

/** @throws CommandFailure unless the log is whole and no node runs */
async function readyLog(config: Config, db: Database): Promise<BoardIdentity> {
  await requireMigrated(db);
  await assertNoNode(db);
  const { own, kept } = await planStart(db, config, systemClock.now());
  if (kept === null || kept.size === 0) {
    throw new CommandFailure(
      'This board has signed nothing yet; run "reserve-board start" first.',
    );
  }
  const guard = new RollbackGuard({ ...config, db, log: silentLogger });
  guard.ask({ ask: () => askMirrors(config, db, own.keys) });
  await guard.check();
  if (guard.closed === null) return own;
  throw new CommandFailure(
    `No key is rotated while writes are closed: ${guard.closed}.`,
  );
}

function keepIt({ dataDir }: Config): string {
  return `Copy ${keysFolder(dataDir)} to where you keep board.seed, and make a backup: the seed alone does not give this key.`;
}
