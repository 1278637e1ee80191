import { access, type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAgentId } from '../../protocol/agent-id.js';
import { fromHex, toHex, withoutMark } from '../../protocol/bytes.js';
import { parseJson, readObject } from '../../protocol/json.js';
import { type History, isNextKey } from '../identity.js';
import { AgentFailure, ownCommand } from './failure.js';

/** The current key's file has the history, the next key's does not. */
export type KeyFile = {
  agentId: string;
  role: 'current' | 'next';
  seed: Uint8Array;
  /** Of the current key only. */
  notes: string[];
};

const FORMAT = 'reserve-board/key-file/v1';
const OTHERS = 0o077;

export function formatKeyFile(key: KeyFile): string {
  const json = {
    format: FORMAT,
    agent_id: key.agentId,
    role: key.role,
    seed: toHex(key.seed),
    ...(key.role === 'current' ? { events: key.notes } : {}),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Null for other texts. */
export function parseKeyFile(text: string): KeyFile | null {
  const json = readObject(parseJson(withoutMark(text))) ?? {};
  const { format, agent_id: agentId, role, seed: hex, events = [] } = json;
  const seed = typeof hex === 'string' ? fromHex(hex) : null;
  const notes = Array.isArray(events) ? events : [];
  if (format !== FORMAT || seed?.length !== 32) return null;
  if (typeof agentId !== 'string' || !isAgentId(agentId)) return null;
  if (role !== 'current' && role !== 'next') return null;
  const known = notes.every((note) => typeof note === 'string');
  return known ? { agentId, role, seed, notes } : null;
}

async function checkMode(handle: FileHandle, file: string): Promise<void> {
  const { mode, uid } = await handle.stat();
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && own !== 0) {
    throw new AgentFailure(`${file} belongs to another user; it is not used.`);
  }
  if ((mode & OTHERS) !== 0) {
    throw new AgentFailure(
      `${file} can be read by others (mode ${(mode & 0o777).toString(8)}); if nobody has, run "chmod 600 ${file}", else rotate the key.`,
    );
  }
}

/** @throws AgentFailure unless it is a key that only its owner can read. */
export async function readKeyFile(file: string): Promise<KeyFile> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch {
    throw new AgentFailure(
      `No key can be read from ${file}; "${ownCommand()} key new --key-file ${file}" makes one.`,
    );
  }
  try {
    await checkMode(handle, file);
    const key = parseKeyFile(await handle.readFile('utf8'));
    if (key !== null) return key;
    throw new AgentFailure(`${file} holds no key of this program.`);
  } finally {
    await handle.close();
  }
}

export const draftOf = (file: string) => `${file}.tmp`;

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Never overwrites. */
export async function createKeyFile(file: string, key: KeyFile): Promise<void> {
  try {
    await writeSynced(file, formatKeyFile(key));
  } catch (error) {
    const there = (error as { code?: string }).code === 'EEXIST';
    throw new AgentFailure(
      there
        ? `${file} is there already and is kept: go on with that key (--key-file ${file.replace(/\.next$/, '')}), or name another file.`
        : `${file} cannot be written; make its folder, or name another file.`,
    );
  }
}

async function writeDraft(file: string, key: KeyFile): Promise<void> {
  const draft = draftOf(file);
  await rm(draft, { force: true });
  await writeSynced(draft, formatKeyFile(key));
}

/** Durably. */
async function takeDraft(file: string): Promise<void> {
  await rename(draftOf(file), file);
  const folder = await open(path.dirname(path.resolve(file)), 'r');
  await folder.sync().finally(() => folder.close());
}

export type KeyPlaces = { file: string; nextFile: string };

type OwnKeys = { current: KeyFile; next: KeyFile };

export function historyOf({ agentId, notes }: KeyFile): History {
  return { agentId, notes };
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}

export async function readCurrent(file: string): Promise<KeyFile> {
  const current = await readKeyFile(file);
  if (current.role === 'current' && current.notes.length > 0) return current;
  throw new AgentFailure(
    `${file} is not the file of a current key; name that one.`,
  );
}

/**
 * `next` is the committed key. After an interrupted rotation the newest next
 * key is in a draft, which is put in place first.
 */
export async function readKeys(places: KeyPlaces): Promise<OwnKeys> {
  const { file, nextFile } = places;
  const current = await readCurrent(file);
  const history = historyOf(current);
  const found = (await isThere(nextFile)) ? await readKeyFile(nextFile) : null;
  if (found !== null && (await isNextKey(history, found.seed))) {
    return { current, next: found };
  }
  const draft = draftOf(nextFile);
  if (await isThere(draft)) {
    const next = await readKeyFile(draft);
    if (await isNextKey(history, next.seed)) {
      await takeDraft(nextFile);
      return { current, next };
    }
  }
  throw new AgentFailure(
    found === null
      ? `The next key is not at ${nextFile}; bring it there, or name it with --next-file.`
      : `${nextFile} is not the key that ${current.agentId} committed to.`,
  );
}

/** Durably. `readKeys` works after any interruption. */
export async function replaceKeys(
  { file, nextFile }: KeyPlaces,
  { current, next }: OwnKeys,
): Promise<void> {
  await writeDraft(nextFile, next);
  await replaceCurrent(file, current);
  await takeDraft(nextFile);
}

export async function replaceCurrent(
  file: string,
  current: KeyFile,
): Promise<void> {
  await writeDraft(file, current);
  await takeDraft(file);
}
