import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type ClockBase, type MachineTimes, SteadyClock } from '../clock.js';
import { makeDataFolder } from '../db/embedded/folders.js';

const NAME = 'clock.json';
/** Linux: another one at each start of the machine. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

const keptClock = z.object({
  boot: z.string(),
  wall: z.number(),
  monotonic: z.number(),
  uptime: z.number(),
});

/** Null where the system tells no starts apart: nothing is kept there. */
async function bootId(): Promise<string | null> {
  const text = await readFile(BOOT_ID, 'utf8').catch(() => null);
  return text?.trim() ?? null;
}

/**
 * The clock of a node with this data folder: one that its machine's clock
 * stepped ahead of while no process ran is not believed either (spec/board.md
 * §16.3). After a start of the machine there is nothing to compare with.
 */
export async function nodeClock(
  dataDir: string,
  machine?: MachineTimes,
): Promise<SteadyClock> {
  return new SteadyClock(machine, await readClockBase(dataDir));
}

/** The base that a process of the same boot kept; a damaged file has none. */
async function readClockBase(dataDir: string): Promise<ClockBase | null> {
  try {
    const text = await readFile(path.join(dataDir, NAME), 'utf8');
    const { boot, ...base } = keptClock.parse(JSON.parse(text));
    return boot === (await bootId()) ? base : null;
  } catch {
    return null;
  }
}

/** Keeps a base; no fsync, because it is worth nothing after a power cut. */
export async function writeClockBase(
  dataDir: string,
  base: ClockBase,
): Promise<void> {
  const boot = await bootId();
  if (boot === null) return;
  await makeDataFolder(dataDir);
  const file = path.join(dataDir, NAME);
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, `${JSON.stringify({ boot, ...base })}\n`, {
    mode: 0o600,
  });
  await rename(draft, file);
}
