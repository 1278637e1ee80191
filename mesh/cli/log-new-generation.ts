import { readFile } from 'node:fs/promises';
import { Progress } from '../../client/cli/progress.js';
import { openIdentity } from '../../protocol/identity.js';
import { formatVkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { assertNoNode, hasTables } from '../../server/cli/node.sql.js';
import {
  assertAgreed,
  type JsonOption,
  print,
} from '../../server/cli/output.js';
import {
  databaseExists,
  requireSeed,
  withOwnDatabase,
} from '../../server/cli/tool-database.js';
import { type Clock, systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import { commandLineActor, recordAudit } from '../../server/dashboard/audit.js';
import { AgentKeyEvent } from '../../server/db/entities/agent-key.js';
import { LogState } from '../../server/db/entities/log.js';
import type { Database, Tx } from '../../server/db/sql.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import {
  isUnused,
  keepNewSeed,
  newSeed,
  readSeed,
  takeUnused,
} from '../../server/ledger/board-seed.js';
import type { BoardIdentity } from '../../server/ledger/genesis.js';
import { updateHeadFile } from '../../server/ledger/head-file-writer.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { formerLogKeys } from '../../server/ledger/record-identity.js';
import {
  noteRotation,
  rotationUnderWay,
} from '../../server/ledger/rotated-keys.js';
import {
  type LogPast,
  nextGeneration,
  type OpenedGeneration,
  openGeneration,
  whyUnseen,
} from '../restore/open-generation.js';
import { besideTheLog } from '../restore/plan-restore.js';
import { readPast } from '../restore/read-past.js';
import { besideText } from './log-restore.js';
import { mirrorUrls, withClient, withOwnLog } from './with-local-board.js';

type Flags = JsonOption & {
  from?: string[];
  formerKeyFile?: string;
  newSeed?: boolean;
  dryRun?: boolean;
  yes?: boolean;
};

type GenerationOptions = {
  /** Boards to ask for mirrors; empty: all active peers. */
  urls?: readonly string[];
  /** A log key that the settings lack, 64 hex digits. */
  formerKey?: string | null;
  /** Makes a seed, as the former one is lost. */
  newSeed?: boolean;
  clock?: Clock;
  onProgress?: (size: number, of: number) => void;
  /** Before anything is changed. */
  agreed?: (past: LogPast) => Promise<void>;
  /** After that, before a seed is stored. */
  prepare?: (past: LogPast) => Promise<void>;
};

/** `url`: where peers find the new log. */
type GenerationReport = OpenedGeneration & { past: LogPast; url: string };

/**
 * The last resort where a log or its key is lost or stolen (spec/mesh.md §B1,
 * §B4). Explains itself and asks on a terminal.
 */
export async function logNewGeneration(flags: Flags): Promise<void> {
  const { json = false, from = [], formerKeyFile, newSeed = false } = flags;
  const config = await withSignedAddress(parseConfig(process.env));
  const formerKey =
    formerKeyFile === undefined ? null : await readKey(formerKeyFile);
  const progress = new Progress('reading mirrors', json);
  const onProgress = (size: number, of: number) =>
    progress.at(size, of, ' entries');
  const asked = { urls: from, formerKey, newSeed, onProgress };
  if (flags.dryRun) {
    const plan = await planGeneration(config, asked);
    progress.end();
    return print(json, { ok: true, dry_run: true, ...plan }, planText(plan));
  }
  const { dataDir } = config;
  const begun = await begunBefore(config);
  if (begun !== null) {
    progress.end();
    const { board, origin, keys } = begun;
    const peer_command = peerCommand({ url: config.baseUrl, keys });
    const log_vkey = formatVkey(keys.log.vkey);
    return print(
      json,
      { ok: true, board, origin, log_vkey, finished: true, peer_command },
      `An earlier run began ${origin} already; this run changes nothing. Start the node, and give the operators of every linked board this line, not by way of the board itself:\n  ${peer_command}`,
    );
  }
  const report = await newGeneration(config, {
    ...asked,
    prepare: (past) => noteRotation(dataDir, nextGeneration(past).generation),
    agreed: (past) => assertAgreed(flags, warningOf(past), past.board),
  });
  progress.end();
  print(json, { ok: true, ...facts(report) }, textOf(report));
}

/**
 * A shell often lacks the settings of the node: then the address of the newest
 * identity is signed and printed, and not the default one.
 */
export async function withSignedAddress(config: Config): Promise<Config> {
  if (process.env.BASE_URL || !(await databaseExists(config))) return config;
  return await withOwnDatabase(config, async (db) => {
    if (!(await hasTables(db))) return config;
    const row = await db.manager.findOneBy(LogState, { originId: OWN_LOG });
    const signed = openIdentity(row?.identity ?? '');
    return signed.ok ? { ...config, baseUrl: signed.value.url } : config;
  });
}

/** By an earlier run, before a start of a node. */
async function begunBefore(config: Config): Promise<BoardIdentity | null> {
  const under = await rotationUnderWay(config.dataDir);
  const boardSeed = await readSeed(config);
  if (under === null || boardSeed === null) return null;
  if (!(await databaseExists(config))) return null;
  return await withOwnDatabase(config, async (db) => {
    if (!(await hasTables(db))) return null;
    const own = { originId: OWN_LOG, generation: under };
    const row = await db.manager.findOneBy(LogState, own);
    if (row === null || row.size === 0) return null;
    const { board, origin } = row;
    const keys = boardKeys({ ...config, boardSeed }, board, origin);
    return { board, origin, keys };
  });
}

/** For programs and tests. */
export async function newGeneration(
  config: Config,
  options: GenerationOptions = {},
): Promise<GenerationReport> {
  const { urls = [], formerKey = null, clock = systemClock } = options;
  const { onProgress = () => {} } = options;
  const seed = await generationSeed(config, options.newSeed ?? false);
  const { boardSeed } = seed;
  return await withOwnLog(config, async (db, client) => {
    await assertNoNode(db);
    const from = await mirrorUrls(db, urls);
    const { known: seedKnown } = seed;
    const known = { db, config, boardSeed, seedKnown, client, onProgress };
    const past = await readPast(known, from);
    await options.agreed?.(past);
    await options.prepare?.(past);
    if (seed.isNew) await keepNewSeed(config.dataDir, boardSeed);
    await takeUnused(config.dataDir);
    const note = (tx: Tx, made: BoardIdentity) =>
      recordAudit(tx, commandLineActor(), trailOf(made), clock.now());
    const ending = { boardSeed, past, formerKey, note };
    const made = await openGeneration(db, config, clock, ending);
    await updateHeadFile(db, config.dataDir, clock);
    return { ...made, past, url: config.baseUrl };
  });
}

function trailOf({ origin, keys }: BoardIdentity) {
  const after = { log_vkey: formatVkey(keys.log.vkey) };
  return { action: 'log.new_generation', subject: `log:${origin}`, after };
}

async function readKey(file: string): Promise<string> {
  const text = (await readFile(file, 'utf8')).trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new CommandFailure(
    `${file} must contain the former log key as 64 hex digits.`,
  );
}

function warningOf(past: LogPast): string[] {
  const unseen = whyUnseen(past);
  const seen =
    unseen === null
      ? 'its mirrors were asked for its end'
      : `${unseen}, so a million are left out to be safe`;
  return [
    `This ends the log ${past.origin} for good and begins the next one.`,
    `Messages stay readable and keep their IDs (the last known is ${past.lastMessageId}; ${seen}). Nothing can be added to the old log any more, and every peer has to confirm the new one.`,
    'Do it only where "reserve-board log restore" cannot bring the log back, or where its key is lost or stolen.',
  ];
}

function facts(report: GenerationReport) {
  const { past, keys, ...made } = report;
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
    peer_command: peerCommand(report),
  };
}

/** For operators of linked boards. */
export function peerCommand({
  url,
  keys,
}: Pick<GenerationReport, 'url' | 'keys'>): string {
  return `reserve-board peer add ${url} --confirm '${formatVkey(keys.log.vkey)}'`;
}

function textOf(report: GenerationReport): string {
  const { origin, past, board, closedSize } = report;
  const unseen = whyUnseen(past);
  return [
    `${board} goes on as ${origin}; ${past.origin} is closed.`,
    closedSize > 0
      ? `Its ${closedSize} entries stay readable, and the keys of ${report.agents} agents were carried over.`
      : 'Its entries are not here any more (410 log_closed); mirrors may still have them.',
    `The next message has the ID ${report.firstMessageId}${unseen === null ? '' : `, since ${unseen}`}.`,
    'Now start the node: writes are open as soon as it runs. Give the operators of every linked board this line, not by way of the board itself; it works in every state their link is:',
    `  ${peerCommand(report)}`,
    report.followed
      ? 'A former key has signed the new one, and they are shown so.'
      : 'No former key could sign the new one: they are shown "NOT signed by the key you confirmed", and should ask you for the key.',
  ].join('\n');
}

type GenerationPlan = Awaited<ReturnType<typeof planGeneration>>;

/** `--dry-run`, for programs and tests: writes nothing. */
export async function planGeneration(
  config: Config,
  options: Required<Omit<GenerationOptions, 'clock' | 'agreed' | 'prepare'>>,
) {
  const { urls, formerKey, newSeed, onProgress } = options;
  const seed = await generationSeed(config, newSeed);
  const { boardSeed, known: seedKnown } = seed;
  const plan = async (opened: Database | null) => {
    const db = opened !== null && (await hasTables(opened)) ? opened : null;
    const from = db === null ? urls : await mirrorUrls(db, urls);
    const past = await withClient(config, (client) =>
      readPast({ db, config, boardSeed, seedKnown, client, onProgress }, from),
    );
    const next = nextGeneration(past);
    const seeds = { ...config, boardSeed };
    const keys = boardKeys(seeds, past.board, next.origin);
    const own = { board: past.board, origin: next.origin, keys };
    const former = await formerLogKeys(db, seeds, own, formerKey);
    const here = { originId: OWN_LOG, origin: past.origin };
    const log = await db?.manager.findOneBy(LogState, here);
    return {
      board: past.board,
      closes: past.origin,
      /** Entries in this database. */
      size: log?.size ?? 0,
      origin: next.origin,
      first_message_id: next.lastMessageId + 1,
      witnessed: past.witnessed,
      unseen: whyUnseen(past),
      agents: db === null ? 0 : await agentsOf(db),
      signed_by_former_key: former.some(
        ({ vkey }) => formatVkey(vkey) === past.logVkey,
      ),
      beside: await besideTheLog(db),
    };
  };
  if (!(await databaseExists(config))) return await plan(null);
  return await withOwnDatabase(config, plan);
}

async function agentsOf({ manager }: Database): Promise<number> {
  const row = await manager
    .createQueryBuilder(AgentKeyEvent, 'event')
    .select('count(DISTINCT event.agentId)::int', 'agents')
    .where({ originId: OWN_LOG })
    .getRawOne<{ agents: number }>();
  return row?.agents ?? 0;
}

function planText(plan: GenerationPlan): string {
  const { closes, size, agents, unseen, signed_by_former_key } = plan;
  return [
    `Nothing was changed. A new generation would end ${closes} for good and begin ${plan.origin}.`,
    size > 0
      ? `Its ${size} entries would stay readable here, and the keys of ${agents} agents be carried over.`
      : 'No entry of it is here; mirrors may still have them.',
    `The next message would have the ID ${plan.first_message_id}${unseen === null ? '' : `: ${unseen}, so a million are left out to be safe`}.`,
    'Lost is what only mirrors hold of it, for this board: where the seed is left, "reserve-board log restore --from <url>" brings that back, and the log goes on.',
    signed_by_former_key
      ? 'A former key would sign the new one, and peers be shown so; each has to confirm it.'
      : 'No former key could sign the new one: peers would be shown "NOT signed by the key you confirmed".',
    ...besideText(plan.beside),
  ].join('\n');
}

/**
 * The used one, or a new one where the operator says that it is lost. `isNew`:
 * not stored yet; `known`: it may have signed a log.
 * @throws CommandFailure where there is none, or it is not lost
 */
async function generationSeed(config: Config, lost: boolean) {
  if (!lost) {
    const instead =
      ' If it is lost for good, add --new-seed: the log goes on under a new key, which every peer has to confirm.';
    const boardSeed = await requireSeed(config, instead);
    const known = !(await isUnused(config.dataDir, boardSeed));
    return { boardSeed, isNew: false, known };
  }
  const kept = await readSeed(config);
  if (kept === null) {
    return { boardSeed: newSeed(), isNew: true, known: false };
  }
  // Made by a killed run, which signed nothing.
  if (await isUnused(config.dataDir, kept)) {
    return { boardSeed: kept, isNew: false, known: false };
  }
  throw new CommandFailure(
    'There is a seed (BOARD_SEED or DATA_DIR/board.seed), and --new-seed is for a board whose seed is lost; leave the option out, also where a run with it was interrupted, or move the seed away first.',
  );
}
