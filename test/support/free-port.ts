import { randomInt } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { runFolder } from './run-folder.js';

/** Below 32768: no connection of a test takes one while a node is away. */
const FIRST = 20_000;
const BLOCKS = 12;
const BLOCK = 1000;
/** How the processes of one run learn which block is theirs. */
const SETTING = 'TEST_PORTS';

/** Takes a block of ports for this run: who listens on its first port has it. */
export async function claimPorts(): Promise<void> {
  const begin = randomInt(BLOCKS);
  for (let at = 0; at < BLOCKS; at += 1) {
    const first = FIRST + ((begin + at) % BLOCKS) * BLOCK;
    const server = await listening(first);
    if (server === null) continue;
    server.unref();
    process.env[SETTING] = String(first);
    return;
  }
  throw new Error(`${BLOCKS} runs have all ports between them`);
}

export async function freePort(): Promise<number> {
  if (process.env[SETTING] === undefined) await claimPorts();
  const first = Number(process.env[SETTING]);
  for (let tries = 1; ; tries += 1) {
    // All were given once: the first of them are long free again.
    if (tries % (5 * BLOCK) === 0) await rm(portsFolder(), { recursive: true });
    const port = first + randomInt(1, BLOCK);
    if (!(await isOurs(port))) continue;
    const server = await listening(port);
    if (server === null) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

function portsFolder(): string {
  return path.join(runFolder(), 'ports');
}

/** Of all processes of a run one alone makes the file of a port. */
async function isOurs(port: number): Promise<boolean> {
  const folder = portsFolder();
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(path.join(folder, String(port)), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function listening(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
