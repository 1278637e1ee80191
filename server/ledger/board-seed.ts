import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import { toHex } from '../../protocol/bytes.js';
import { type Config, ConfigError } from '../config.js';
import { makeDataFolder } from '../db/embedded/folders.js';
import { codeOf, durable, nullIfAway, settle } from '../db/files.js';

/** What does not fit the board's past; `doctor` has a line for each. */
export type Fault = 'board seed' | 'board name' | 'log head' | 'log key';

/** A refused start, with the fix; nothing was written. */
export class StartRefusal extends ConfigError {
  constructor(
    readonly about: Fault,
    sentence: string,
  ) {
    super([sentence]);
  }
}

export function seedFile(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'board.seed');
}

const UNUSED = 'seed/unused';

function unusedFile(dataDir: string): string {
  return `${seedFile(dataDir)}.unused`;
}

/**
 * As configured, else `DATA_DIR/board.seed`; hex, or null without either.
 * @throws StartRefusal for a file that contains no seed.
 */
export async function readSeed({
  boardSeed,
  dataDir,
}: Pick<Config, 'boardSeed' | 'dataDir'>): Promise<string | null> {
  if (boardSeed !== null) return boardSeed;
  const file = seedFile(dataDir);
  const text = await readIfThere(file);
  if (text === null || /^[0-9a-f]{64}$/.test(text)) return text;
  throw new StartRefusal(
    'board seed',
    `${file} does not hold 64 hex digits; restore it from your backup.`,
  );
}

export function newSeed(): string {
  return toHex(randomBytes(32));
}

/**
 * Durably writes a new seed (mode 0600) and the mark that nothing is signed
 * with it yet. A seed whose mark a crash lost counts as used.
 * @throws StartRefusal where another process made one meanwhile.
 */
export async function keepNewSeed(
  dataDir: string,
  seed: string,
): Promise<void> {
  const isNew = !existsSync(dataDir);
  await makeDataFolder(dataDir);
  const file = seedFile(dataDir);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await durable(unusedFile(dataDir), `${markOf(seed, UNUSED)}\n`, 'w');
  await durable(draft, `${seed}\n`);
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new StartRefusal(
      'board seed',
      `Another process made ${file} meanwhile; run the command again.`,
    );
  } finally {
    await rm(draft);
  }
  await settle(dataDir);
  // The database may outlive a folder that a crash lost.
  if (isNew) await settle(path.dirname(path.resolve(dataDir)));
}

/** Whether the mark is there and belongs to this seed. */
export async function isUnused(
  dataDir: string,
  seed: string,
): Promise<boolean> {
  return (await readIfThere(unusedFile(dataDir))) === markOf(seed, UNUSED);
}

/** Durably, before the first signature. False: another process signs first. */
export async function takeUnused(dataDir: string): Promise<boolean> {
  const gone = await unlink(unusedFile(dataDir)).catch(nullIfAway);
  if (gone === null) return false;
  await settle(dataDir);
  return true;
}

/** Does not reveal the seed. */
export function markOf(seed: string, use: string): string {
  const text = `reserve-board/${use}/v1\n${seed}`;
  return createHash('sha256').update(text).digest('hex');
}

async function readIfThere(file: string): Promise<string | null> {
  return (await readFile(file, 'utf8').catch(nullIfAway))?.trim() ?? null;
}
