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

/** Supervisors signal a process and then its group: that is one wish. */
const ONE_WISH_MS = 1000;

type StopSignals = {
  /** Resolves at the first SIGTERM or SIGINT. */
  asked: Promise<void>;
  /** Resolves at one that comes a second or more after it. */
  again: Promise<void>;
  isAsked(): boolean;
};

/** From now on SIGTERM and SIGINT end this process only by these promises. */
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

/** An orderly stop that takes longer than this is cut off. */
const STOP_MS = 9000;
const CUT_OFF = `The stop took longer than ${STOP_MS / 1000} s and is cut off (exit code 1); all that was acknowledged is in the database.`;
/** What is left of the ten seconds to the database (spec/board.md §14.6). */
const LAST_MS = 700;

/** `PORT=0` is only known once it listens. */
function addressOf(config: Config, port: number): string {
  return config.port === 0 && config.baseUrl.endsWith(':0')
    ? `${config.baseUrl.slice(0, -1)}${port}`
    : config.baseUrl;
}

/**
 * The one-time set-up link, as long as there is no operator. Not while writes
 * are closed: with an account in it the database takes no backup any more.
 */
async function operatorLink(board: Board, port: number) {
  const { context } = board;
  if (!context.config.roles.includes('api')) return null;
  if (context.guard.closed !== null) return null;
  const { firstOperatorLink } = await import('../dashboard/auth/invites.js');
  return await firstOperatorLink(context, port);
}

/** A board that is being made, and how to leave it at once. */
type Opening = {
  /** Null where a stop was asked for before its database was there. */
  board: Promise<Board | null>;
  leave(): Promise<void>;
};

/**
 * The database starts while the board is being loaded, and it begins first:
 * loading leaves this process no time to put PostgreSQL to work.
 */
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
    // Refused before that, it ends here: no folder and no seed is made.
    await Promise.race([begun, located]);
    const { Board } = await import('../board.js').catch(
      async (error: unknown) => {
        await leave();
        throw error;
      },
    );
    await located;
    // A later stop waits for the board: a first entry cut off closes writes.
    if (isAsked()) return null;
    return await Board.create(config, { log, located });
  };
  return { board: open(), leave };
}

/**
 * Ends this process now, in the middle of its work, and the embedded database with
 * it: one that is left behind would go on without its board.
 */
async function endNow(
  code: number,
  { leave }: Opening,
  within = LAST_MS,
): Promise<never> {
  setTimeout(() => process.exit(code), within);
  await leave().catch(() => {});
  process.exit(code);
}

/** Lines for people have no log lines among them, unless these are asked for. */
function loggerFor(config: Config, forPeople: boolean): Logger {
  const isQuiet = forPeople && !process.env.LOG_LEVEL;
  return createLogger(isQuiet ? 'warn' : config.logLevel);
}

function warnOfNode(log: Logger): void {
  const { node } = process.versions;
  const warning = nodeWarning(node, Date.now());
  if (warning === null) return;
  log.warn({ node }, `Node.js ${warning.detail}; ${warning.fix}`);
}

/**
 * `reserve-board start`. On a terminal it says in a few lines what comes next;
 * elsewhere, where its log is read by programs, in one line of JSON.
 */
export async function start({ json = false }: JsonOption): Promise<void> {
  whenOutputIsLost('keep');
  const config = parseConfig(process.env);
  boundHeapGrowth();
  // A start that is refused for them makes nothing.
  await assertPortsFree(config);
  await readStartFiles(config);
  const forPeople = process.stdout.isTTY && !json;
  const log = loggerFor(config, forPeople);
  warnOfNode(log);
  const signals = stopSignals();
  const opening = openBoard(config, log, signals);
  // A PostgreSQL that has not started yet takes no order to stop.
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
      const address = addressOf(config, port);
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
  shrinkWhenQuiet(() => board.context.responseCache?.clear());
}

/** Without it commands go by their own settings. */
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
