import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { parseLogOrigin } from '../../protocol/board-name.js';
import { fromBase64, toBase64 } from '../../protocol/bytes.js';
import { makeDataFolder } from '../db/embedded/folders.js';
import { durable, nullIfAway } from '../db/files.js';
import { StartRefusal } from './board-seed.js';

/**
 * The end of the own log as it was last seen, kept outside the database
 * (spec/mesh.md §B4.4, "Head file"): a database that is behind it was rolled
 * back. `time` is in ms.
 */
export type KeptHead = {
  origin: string;
  size: number;
  root: Uint8Array;
  lastMessageId: number;
  time: number;
  /** After a restore: writes wait until a peer has answered. */
  restored: boolean;
  /** `log restore` was begun and has not ended. */
  restoring?: boolean;
};

const NAME = 'log.head';

export function headFile(dataDir: string): string {
  return path.join(dataDir, NAME);
}

/** @throws StartRefusal for a damaged file: it must not count as none. */
export async function readHeadFile(dataDir: string): Promise<KeptHead | null> {
  const file = headFile(dataDir);
  const text = await readFile(file, 'utf8').catch(nullIfAway);
  if (text === null) return null;
  const head = parse(text);
  if (head !== null) return head;
  throw new StartRefusal(
    'log head',
    `${file} is damaged: it must hold origin, size and root of the log as JSON; restore it from your backup.`,
  );
}

function parse(text: string): KeptHead | null {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
  const { origin, size, root, last_message_id: lastId, time } = json ?? {};
  const bytes = typeof root === 'string' ? fromBase64(root, 32) : null;
  const numbers = [size, lastId, time].every(Number.isSafeInteger);
  if (typeof origin !== 'string' || bytes === null || !numbers) return null;
  if (parseLogOrigin(origin) === null) return null;
  return {
    origin,
    size: size as number,
    root: bytes,
    lastMessageId: lastId as number,
    time: time as number,
    restored: json.restored === true,
    restoring: json.restoring === true,
  };
}

/** Atomic: after a crash the file is the old or the new one. */
export async function writeHeadFile(
  dataDir: string,
  head: KeptHead,
): Promise<void> {
  const file = headFile(dataDir);
  const draft = `${file}.${process.pid}.new`;
  const text = JSON.stringify({
    origin: head.origin,
    size: head.size,
    root: toBase64(head.root),
    last_message_id: head.lastMessageId,
    time: head.time,
    ...(head.restored ? { restored: true } : {}),
    ...(head.restoring ? { restoring: true } : {}),
  });
  await makeDataFolder(dataDir);
  await durable(draft, `${text}\n`, 'w');
  await rename(draft, file);
}
