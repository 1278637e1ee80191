import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fromHex } from '../../protocol/bytes.js';
import { makeDataFolder } from '../db/embedded/folders.js';
import { codeOf, durable, settle } from '../db/files.js';
import { markOf, StartRefusal } from './board-seed.js';

/**
 * A file of `DATA_DIR/keys` (spec/board.md §16.29): `node`, `mirror` or
 * `log<n>` from generation n on. Its line has the key's seed and the mark of
 * its board seed; keys of a former board seed do not count.
 */
export type RotatedKey = { name: string; line: string };

const USE = 'keys';
const NAME = /^(?:node|mirror|log[1-9][0-9]{0,8})$/;
const LINE = /^([0-9a-f]{64}) ([0-9a-f]{64})$/;

export function keysFolder(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'keys');
}

/**
 * Also of former board seeds.
 * @throws StartRefusal for a damaged file
 */
export function rotatedKeys(dataDir: string): RotatedKey[] {
  const folder = keysFolder(dataDir);
  return namesIn(folder).map((name) => {
    const line = read(path.join(folder, name));
    return { name, line };
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function read(file: string): string {
  const text = readFileSync(file, 'utf8').trim();
  if (isKeyLine(text)) return text;
  throw new StartRefusal(
    'log key',
    `${file} does not hold a rotated key; put your copy of DATA_DIR/keys back.`,
  );
}

export function isKeyLine(line: string): boolean {
  return LINE.test(line);
}

/**
 * Null where the key was not rotated.
 * @param generation of the log that signs
 */
export function rotatedSeed(
  keys: readonly RotatedKey[],
  boardSeed: string,
  use: 'log' | 'mirror' | 'node',
  generation: number,
): Uint8Array | null {
  const mark = markOf(boardSeed, USE);
  /** First generation of a log key; NaN for other keys. */
  const since = ({ name }: RotatedKey) => Number(/^log(\d+)$/.exec(name)?.[1]);
  const own = keys.filter(({ line }) => line.endsWith(mark));
  const [key] =
    use === 'log'
      ? own
          .filter((one) => since(one) <= generation)
          .sort((a, b) => since(b) - since(a))
      : own.filter(({ name }) => name === use);
  return key === undefined ? null : fromHex(LINE.exec(key.line)?.[1] ?? '');
}

export function newKeyLine(boardSeed: string): string {
  return `${randomBytes(32).toString('hex')} ${markOf(boardSeed, USE)}`;
}

/** Durable, 0600. False: there was one and `replace` is not set. */
export async function keepKey(
  dataDir: string,
  { name, line }: RotatedKey,
  { replace }: { replace: boolean },
): Promise<boolean> {
  const folder = await makeKeysFolder(dataDir);
  try {
    const place = replace ? rename : link;
    await writeWhole(path.join(folder, name), `${line}\n`, place);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function makeKeysFolder(dataDir: string): Promise<string> {
  await makeDataFolder(dataDir);
  const folder = keysFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await settle(path.dirname(folder));
  return folder;
}

async function writeWhole(
  file: string,
  text: string,
  place: typeof rename,
): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await durable(draft, text);
    await place(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await settle(path.dirname(file));
}

/**
 * The generation that `keys rotate` or `log new-generation` began, or null. A
 * command killed after its commit is finished by the next one. A start of the
 * node ends it.
 */
export async function rotationUnderWay(
  dataDir: string,
): Promise<number | null> {
  const text = await readFile(underWay(dataDir), 'utf8').catch(() => '');
  return /^[1-9][0-9]{0,8}\n$/.test(text) ? Number(text) : null;
}

export async function noteRotation(
  dataDir: string,
  generation: number,
): Promise<void> {
  await makeKeysFolder(dataDir);
  await writeWhole(underWay(dataDir), `${generation}\n`, rename);
}

export async function endRotation(dataDir: string): Promise<void> {
  await rm(underWay(dataDir), { force: true });
}

function underWay(dataDir: string): string {
  return path.join(keysFolder(dataDir), 'rotation');
}
