import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Progress } from '../../client/cli/progress.js';
import { ready as signingReady } from '../../protocol/signing.js';
import { formatVkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { type JsonOption, print } from '../../server/cli/output.js';
import { requireSeed } from '../../server/cli/own-seed.js';
import { refusal } from '../../server/cli/refusal.js';
import { type Clock, systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import { openDatabase } from '../../server/db/connect.js';
import { makeDataFolder } from '../../server/db/embedded/folders.js';
import { type Database, database } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { keepHead } from '../../server/log-head-keeper.js';
import { silentLogger } from '../../server/logger.js';
import {
  type LogPast,
  type OpenedGeneration,
  openGeneration,
} from '../generation/open-generation.js';
import { readPast } from '../generation/read-past.js';
import { activePeerUrls, clientOf } from './with-desk.js';

type Flags = JsonOption & {
  from?: string[];
  formerKeyFile?: string;
  yes?: boolean;
};

export type GenerationOptions = {
  /** Boards to ask for mirrors; empty means every active peer. */
  urls?: readonly string[];
  /** A log key that the settings do not hold any more, 64 hex digits. */
  formerKey?: string | null;
  clock?: Clock;
  onProgress?: (size: number, of: number) => void;
  /** Asked when all is known and nothing is changed yet. */
  agree?: (past: LogPast) => Promise<boolean>;
};

export type GenerationReport = OpenedGeneration & { past: LogPast };

/**
 * `log new-generation`: the operator's last resort where a log cannot be
 * restored, or its key is lost or stolen (mesh.md B1, B4). On a terminal it
 * explains itself and asks.
 */
export async function logNewGeneration(flags: Flags): Promise<void> {
  const { json = false, from = [], formerKeyFile, yes = false } = flags;
  const config = parseConfig(process.env);
  const formerKey =
    formerKeyFile === undefined ? null : await readKey(formerKeyFile);
  const progress = new Progress('reading mirrors', json);
  const asks = process.stdin.isTTY && process.stderr.isTTY && !json && !yes;
  const report = await newGeneration(config, {
    urls: from,
    formerKey,
    onProgress: (size, of) => progress.at(size, of, ' entries'),
    ...(asks ? { agree } : {}),
  });
  progress.end();
  print(json, { ok: true, ...facts(report) }, textOf(report));
}

/** The same for programs and tests. */
export async function newGeneration(
  config: Config,
  options: GenerationOptions = {},
): Promise<GenerationReport> {
  const { urls = [], formerKey = null, clock = systemClock } = options;
  await signingReady;
  const boardSeed = await requireSeed(config);
  await makeDataFolder(config.dataDir);
  const opened = await openDatabase(config, silentLogger);
  const client = clientOf(config);
  try {
    const db = database(opened.writes);
    await requireStopped(db);
    const from = urls.length > 0 ? urls : await activePeerUrls(db);
    const past = await readPast(
      {
        db,
        config,
        boardSeed,
        client,
        signal: new AbortController().signal,
        onProgress: options.onProgress ?? (() => {}),
      },
      from,
    );
    if (options.agree !== undefined && !(await options.agree(past))) {
      throw new CommandFailure('Nothing was changed.');
    }
    const made = await openGeneration(
      db,
      config,
      boardSeed,
      clock,
      past,
      formerKey,
    );
    await keepHead(db, config.dataDir, clock);
    return { ...made, past };
  } catch (error) {
    throw error instanceof BoardError ? refusal(error) : error;
  } finally {
    await client.close();
    await opened.close();
  }
}

/** A running node would go on under the old name and key. */
async function requireStopped(db: Database): Promise<void> {
  const [row] = await db.query<{ running: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity
       WHERE datname = current_database()
         AND application_name = 'reserve-board listener') AS running`,
  );
  if (row?.running !== true) return;
  throw new CommandFailure(
    'A node runs on this database; stop it, run this again, and start it anew.',
  );
}

async function readKey(file: string): Promise<string> {
  const text = (await readFile(file, 'utf8')).trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new CommandFailure(
    `${file} must hold the former log key as 64 hex digits.`,
  );
}

async function agree(past: LogPast): Promise<boolean> {
  const seen = past.witnessed
    ? 'its mirrors were asked for its end'
    : 'no mirror shows its end, so a million IDs are left out to be safe';
  const lines = [
    `This ends the log ${past.origin} for good and begins the next one.`,
    `Messages stay readable and keep their IDs (the last known is ${past.lastMessageId}; ${seen}). Nothing can be added to the old log any more, and every peer has to confirm the new one.`,
    'Do it only where "reserve-board log restore" cannot bring the log back, or where its key is lost or stolen.',
  ];
  const input = createInterface({
    input: process.stdin,
    output: process.stderr,
  });
  try {
    const words = `${lines.join('\n')}\nType the name of the board (${past.board}) to go on: `;
    return (await input.question(words)).trim() === past.board;
  } finally {
    input.close();
  }
}

function facts({ past, keys, ...made }: GenerationReport) {
  return {
    board: made.board,
    origin: made.origin,
    generation: made.generation,
    log_vkey: formatVkey(keys.log.vkey),
    first_message_id: made.firstMessageId,
    size: made.size,
    agents: made.agents,
    closed: { origin: past.origin, size: made.closedSize },
    witnessed: past.witnessed,
    signed_by_former_key: made.followed,
  };
}

function textOf(report: GenerationReport): string {
  const { origin, past, board, keys, closedSize } = report;
  const vkey = formatVkey(keys.log.vkey);
  return [
    `${board} goes on as ${origin}; ${past.origin} is closed.`,
    closedSize > 0
      ? `Its ${closedSize} entries stay readable, and the keys of ${report.agents} agents were carried over.`
      : 'Its entries are not here any more (410 log_closed); mirrors may still hold them.',
    `The next message has the ID ${report.firstMessageId}${past.witnessed ? '' : ', since no mirror shows which IDs were given last'}.`,
    'Now start the node. Its peers see the new identity within a minute; tell each operator the new log key:',
    `  ${vkey}`,
    report.followed
      ? `A former key has signed it, so this is enough: reserve-board peer confirm ${board} '${vkey}'`
      : `No former key could sign it, so they add the board once more: reserve-board peer add <url> --confirm '${vkey}'`,
  ].join('\n');
}
