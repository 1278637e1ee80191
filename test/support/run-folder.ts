import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../../server/db/embedded/reach.js';
import { FULL } from './full.js';

/** How the processes of one run find the folder they share. */
const SETTING = 'TEST_RUN_FOLDER';

const MEMORY = '/dev/shm';
/** What a run needs of it at most, with room to spare. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Makes the folder of this run: the database and all temporary files of all
 * tests are in it, and go with it. It is in memory where the machine has room:
 * half of the time of a run would else be fsyncs of its database. The long
 * versions of the tests of faults use the disk.
 */
export async function makeRunFolder(): Promise<void> {
  const inMemory = FULL ? null : await makeIn(MEMORY);
  const folder = inMemory ?? (await makeIn(temporaryFolder())) ?? '';
  process.env[SETTING] = folder;
  cleanUpAfter(folder);
}

/** What it takes to end a run: its database first, then all that has its folder in its environment. */
const CLEAN_UP = `cat >/dev/null
kill -QUIT $(head -qn1 "$0"/cluster/*/postmaster.pid) 2>/dev/null
for p in $(grep -lszF "$1=$0" /proc/[0-9]*/environ | cut -d/ -f3); do
  [ "$p" = $$ ] || kill -KILL "$p" 2>/dev/null
done
rm -rf "$0" || { sleep 1; rm -rf "$0"; }`;

/** Outlives a SIGKILL of the run; its standard input ends with this process. */
function cleanUpAfter(folder: string): void {
  const { [SETTING]: _own, ...env } = process.env;
  const shell = spawn('/bin/sh', ['-c', CLEAN_UP, folder, SETTING], {
    detached: true,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
}

/** Makes temporary files of this process go into the folder of the run. */
export function useRunFolder(): void {
  process.env.TMPDIR = process.env[SETTING];
}

export function runFolder(): string {
  const folder = process.env[SETTING];
  if (folder === undefined) throw new Error('there is no run');
  return folder;
}

/** A folder in that of the run, which goes with it: nobody has to remove it. */
export async function newFolder(): Promise<string> {
  return await mkdtemp(path.join(runFolder(), 'test-'));
}

async function makeIn(place: string): Promise<string | null> {
  if (place === MEMORY && !(await hasRoom())) return null;
  const folder = await mkdtemp(path.join(place, 'reserve-test-'));
  await chmod(folder, 0o711); // root's database runs as another user
  if (place !== MEMORY || (await mayExecute(folder))) return folder;
  await rm(folder, { recursive: true });
  return null;
}

async function hasRoom(): Promise<boolean> {
  if (process.availableMemory() < 2 * NEEDED_BYTES) return false;
  const disk = await statfs(MEMORY).catch(() => null);
  return disk !== null && disk.bavail * disk.bsize > NEEDED_BYTES;
}

/** Containers often mount it `noexec`; a browser is unpacked into it. */
async function mayExecute(folder: string): Promise<boolean> {
  const script = path.join(folder, 'program');
  await writeFile(script, '#!/bin/sh\n', { mode: 0o755 });
  try {
    execFileSync(script);
    return true;
  } catch {
    return false;
  }
}
