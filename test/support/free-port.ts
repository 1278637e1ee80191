import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { runFolder } from './run-folder.js';

/**
 * Below the ports that systems hand out by themselves (32768 and on), so that
 * no connection of another test takes one between a node's end and its return.
 */
const FIRST = 20_000;
const BEHIND_LAST = 32_000;

/** A loopback port that nothing listens on, for a node that will. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, BEHIND_LAST);
    if ((await isFree(port)) && (await isOurs(port))) return port;
  }
}

/** Of all processes of a run one alone makes the file of a port. */
async function isOurs(port: number): Promise<boolean> {
  const folder = path.join(runFolder(), 'ports');
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(path.join(folder, String(port)), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
