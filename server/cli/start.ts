import { Progress } from '../../client/cli/progress.js';
import { whenOutputIsLost } from '../../client/cli/standard-output.js';
import type { Board } from '../board.js';
import { type Config, parseConfig } from '../config.js';
import { mailWay } from '../dashboard/notifications/mail.js';
import { leaveDatabase, locateDatabase } from '../db/locate.js';
import { readStartFiles } from '../ledger/start-plan.js';
import { createLogger, type Logger } from '../logger.js';
import { nodeWarning } from '../operations/node-version.js';
import { whenItFails } from './failure.js';
import { assertPortsFree } from './free-ports.js';
import { boundHeapGrowth } from './heap-growth.js';
import {
  dropNodeAddress,
  keepNodeAddress,
  localAddress,
} from './node-address.js';
import { type JsonOption, print } from './output.js';
import { shrinkWhenQuiet } from './shrink-when-quiet.js';
import { type Started, welcomeFacts, welcomeText } from './welcome.js';

/** Supervisors signal a process and then its group: one request. */
const ONE_WISH_MS = 1000;

type StopSignals = {
  asked: Promise<void>;
  /** Another one a second or more later. */
  again: Promise<void>;
  isAsked(): boolean;
};

/** Signals no longer end the process by themselves. */
function stopSignals(): StopSignals {
  let ask = () => {};
  let hurry = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const again = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  let first: number | null = null;
  const onSignal = () => {
    const now = performance.now();
    if (first === null) ask();
    else if (now - first >= ONE_WISH_MS) hurry();
    first ??= now;
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return { asked, again, isAsked: () => first !== null };
}

/** A slower stop is cut off. */
const STOP_MS = 9000;
const CUT_OFF = `The stop took longer than ${STOP_MS / 1000} s and is cut off (exit code 1); all that was acknowledged is in the database.`;
/** The database's part of ten seconds (spec/board.md §14.6). */
const LAST_MS = 700;

/** Not while writes are closed: an account would prevent a restore. */
async function operatorLink(board: Board, port: number) {
  const { context } = board;
  if (!context.config.roles.includes('api')) return null;
  if (context.guard.closed !== null) return null;
  const { firstOperatorLink } = await import('../dashboard/auth/invites.js');
  return await firstOperatorLink(context, port);
}

type Opening = {
  /** Null: stopped before its database was there. */
  board: Promise<Board | null>;
  leave(): Promise<void>;
};

/** PostgreSQL first: while code is being loaded it cannot be started. */
function openBoard(
  config: Config,
  log: Logger,
  { isAsked }: StopSignals,
): Opening {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const located = locateDatabase(config, log, { underWay: begin });
  const leave = () => leaveDatabase(located);
  const open = async () => {
    // A refusal in the meantime leaves no folder or seed.
    await Promise.race([begun, located]);
    const { Board } = await import('../board.js').catch(
      async (error: unknown) => {
        await leave();
        throw error;
      },
    );
    await located;
    // Later stops wait: a first entry cut off closes writes.
    if (isAsked()) return null;
    return await Board.create(config, { log, located });
  };
  return { board: open(), leave };
}

/** With the embedded database, which would go on otherwise. */
async function endNow(
  code: number,
  { leave }: Opening,
  within = LAST_MS,
): Promise<never> {
  setTimeout(() => process.exit(code), within);
  await leave().catch(() => {});
  process.exit(code);
}

/** On a terminal a few lines, else one JSON line. */
export async function start({ json = false }: JsonOption): Promise<void> {
  whenOutputIsLost('keep');
  const config = parseConfig(process.env);
  boundHeapGrowth();
  // First, so that a refused start makes nothing.
  await assertPortsFree(config);
  await readStartFiles(config);
  const forPeople = process.stdout.isTTY && !json;
  // No log lines between lines for people, unless requested.
  const isQuiet = forPeople && !process.env.LOG_LEVEL;
  const log = createLogger(isQuiet ? 'warn' : config.logLevel);
  const { node } = process.versions;
  const old = nodeWarning(node, Date.now());
  if (old !== null) log.warn({ node }, `Node.js ${old.detail}; ${old.fix}`);
  const signals = stopSignals();
  const opening = openBoard(config, log, signals);
  // A PostgreSQL that is not up takes no stop.
  whenItFails(() => endNow(1, opening, STOP_MS));
  void signals.again.then(() => endNow(130, opening));
  void signals.asked.then(() => {
    setTimeout(() => {
      log.error({ code: 1 }, CUT_OFF);
      void endNow(1, opening);
    }, STOP_MS).unref();
  });
  const board = await new Progress('starting', json).during(opening.board);
  if (board === null) {
    await opening.leave();
    process.exit(0);
  }
  if (config.smtpUrl !== null) {
    log.info({ server: mailWay(config.smtpUrl) }, 'e-mail is sent');
  }
  if (!signals.isAsked()) await listen(board, config, log, forPeople);
  await stopWhenAsked(board, signals);
}

async function listen(
  board: Board,
  config: Config,
  log: Logger,
  forPeople: boolean,
): Promise<void> {
  try {
    await board.start(async (port) => {
      // `PORT=0` is known only after listening.
      const address =
        config.port === 0 && config.baseUrl.endsWith(':0')
          ? `${config.baseUrl.slice(0, -1)}${port}`
          : config.baseUrl;
      const started: Started = {
        config,
        address,
        port,
        setup: await operatorLink(board, port),
        closed: board.context.guard.closed,
      };
      await keepAddress(started, log);
      return () =>
        print(!forPeople, welcomeFacts(started), welcomeText(started));
    });
  } catch (error) {
    await board.stop();
    throw error;
  }
  shrinkWhenQuiet(() => board.responseCache?.clear());
}

async function keepAddress(
  { config, address: url, port }: Started,
  log: Logger,
): Promise<void> {
  if (!config.roles.includes('api')) return;
  const local = localAddress(config.host, port);
  const address = { url, local, pid: process.pid };
  await keepNodeAddress(config.dataDir, address).catch((err: unknown) =>
    log.warn({ err }, 'the address of this node could not be kept'),
  );
}

async function stopWhenAsked(
  board: Board,
  { asked }: StopSignals,
): Promise<never> {
  await asked;
  await board.stop();
  await dropNodeAddress(board.context.config.dataDir);
  process.exit(0);
}
