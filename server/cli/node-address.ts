import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConfig } from '../config.js';
import { isAlive } from '../db/files.js';

/** Written while a node runs, for commands of other shells. */
export type NodeAddress = {
  url: string;
  local: string;
  pid: number;
};

function addressFile(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'node.json');
}

export async function keepNodeAddress(
  dataDir: string,
  address: NodeAddress,
): Promise<void> {
  await writeFile(addressFile(dataDir), `${JSON.stringify(address)}\n`);
}

/** Unless another process wrote its own. */
export async function dropNodeAddress(dataDir: string): Promise<void> {
  const kept = parsed(
    await readFile(addressFile(dataDir), 'utf8').catch(() => ''),
  );
  if (kept?.pid !== process.pid) return;
  await rm(addressFile(dataDir), { force: true });
}

/** Null unless it runs. */
export function readNodeAddress(dataDir: string): NodeAddress | null {
  try {
    const kept = parsed(readFileSync(addressFile(dataDir), 'utf8'));
    return kept !== null && isAlive(kept.pid) ? kept : null;
  } catch {
    return null; // none, or of another account
  }
}

function parsed(text: string): NodeAddress | null {
  try {
    const { url, local, pid } = JSON.parse(text) as Record<string, unknown>;
    const isWhole =
      typeof url === 'string' &&
      typeof local === 'string' &&
      Number.isSafeInteger(pid) &&
      Number(pid) > 0;
    return isWhole ? { url, local, pid: Number(pid) } : null;
  } catch {
    return null;
  }
}

/** How this machine reaches `host`. */
export function localAddress(host: string, port: number): string {
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${at.includes(':') ? `[${at}]` : at}:${port}`;
}

/**
 * The node of this data folder, or of these settings.
 * @throws ConfigError for settings that start none
 */
export function nearbyBoard(): string {
  const config = parseConfig(process.env);
  return readNodeAddress(config.dataDir)?.url ?? config.baseUrl;
}
