import { access } from 'node:fs/promises';
import { type History, isNextKey } from '../identity.js';
import { AgentFailure } from './failure.js';
import {
  draftOf,
  type KeyFile,
  readKeyFile,
  takeDraft,
  writeDraft,
} from './key-file.js';

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
