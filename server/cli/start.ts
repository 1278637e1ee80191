import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Progress } from '../../client/cli/progress.js';
import type { Board } from '../board.js';
import { type Config, parseConfig } from '../config.js';
import { sharedFolderFor } from '../db/embedded/layout.js';
import { leaveDatabase, locateDatabase } from '../db/locate.js';
import { readStartFiles } from '../ledger/start-plan.js';
import { createLogger } from '../logger.js';
import { boundHeapGrowth } from './heap-growth.js';
import { type JsonOption, print } from './output.js';
import { shrinkWhenQuiet } from './shrink-when-quiet.js';

const STOP_MS = 9500;

/** Resolves at the first SIGTERM or SIGINT; a second one ends at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = () => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

const JSON_TYPE = "-H 'Content-Type: application/json'";
/** Out of a preview: the two numbers of the sum, the word, the ticket. */
const SUM_AND_TICKET =
  's/.*"Add \\([0-9]*\\) and \\([0-9]*\\)\\. Append a hyphen and the word \\([A-Za-z]*\\)\\.".*"ticket":"\\([^"]*\\)".*/\\1 \\2 \\3 \\4/p';

/**
 * Previews, solves the sum, publishes; a POSIX shell takes it as it stands, also
 * with `-e`: the answer has no last newline, and `read` says so.
 */
function firstMessage(address: string): string {
  const body = JSON.stringify({
    title: 'A first message',
    body: 'Posted with curl.',
    request_id: randomUUID(),
  });
  const proof = `{"ticket":"'$t'","answer":"'$((a + b))-$w'","confirm":"publish-publicly"}`;
  return [
    `curl -sS ${address}/write/preview ${JSON_TYPE} -d '${body}'`,
    `sed -n '${SUM_AND_TICKET}'`,
    `{ read -r a b w t || :; curl -sS ${address}/write/publish ${JSON_TYPE} -d '${proof}'; }`,
  ].join(' | ');
}

/**
 * Address, data, the operator's link and a first call (spec/board.md §14.2).
 */
function welcome(config: Config, address: string, extra: readonly string[]) {
  const database =
    config.databaseUrl === null ? 'database included' : 'DATABASE_URL is set';
  const why =
    config.dataDir === sharedFolderFor('./data')
      ? '; ./data was closed to its account'
      : '';
  return [
    `The board is at ${address}`,
    `Its data is in ${path.resolve(config.dataDir)} (${database}${why})`,
    ...extra,
  ].join('\n');
}

/** What comes next: a first message, or what opens the writes. */
function nextSteps(
  address: string,
  setup: string | null,
  closed: string | null,
) {
  if (closed !== null) return [`Writes are closed: ${closed}.`];
  return [
    ...(setup === null
      ? []
      : [`Become its operator, once, within the hour: ${setup}`]),
    'Post a first message (preview, the sum, publish; the answer is its receipt):',
    `  ${firstMessage(address)}`,
  ];
}

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

/**
 * The database starts while the board is being loaded, and it begins first:
 * loading leaves this process no time to put PostgreSQL to work.
 */
async function createBoard(config: Config): Promise<Board> {
  await readStartFiles(config); // a start refused for them makes no database
  const log = createLogger(config.logLevel);
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const located = locateDatabase(config, log, { underWay: begin });
  // Refused before that, it ends here: no folder and no seed is made.
  await Promise.race([begun, located]);
  const loaded = import('../board.js').catch(async (error: unknown) => {
    await leaveDatabase(located);
    throw error;
  });
  const { Board } = await loaded;
  return await Board.create(config, { log, located });
}

export async function start({ json = false }: JsonOption): Promise<void> {
  const config = parseConfig(process.env);
  boundHeapGrowth();
  const stop = stopSignal();
  const progress = new Progress('starting', json);
  const board = await progress.during(createBoard(config));
  let port: number;
  try {
    port = await board.start();
  } catch (error) {
    await board.stop();
    throw error;
  }
  shrinkWhenQuiet(() => board.context.responseCache?.clear());
  const address = addressOf(config, port);
  const setup = await operatorLink(board, port);
  const { closed } = board.context.guard;
  print(
    json,
    {
      ok: true,
      status: 'listening',
      url: address,
      host: config.host,
      port,
      data_dir: path.resolve(config.dataDir),
      database: config.databaseUrl === null ? 'embedded' : 'external',
      writes: closed === null ? 'open' : 'closed',
      ...(closed === null ? {} : { writes_closed: closed }),
      ...(setup === null ? {} : { operator_setup_url: setup }),
    },
    welcome(config, address, nextSteps(address, setup, closed)),
  );
  await stop;
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await board.stop();
  process.exit(0);
}
