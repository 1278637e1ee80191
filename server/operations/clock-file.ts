import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type ClockBase, type MachineTimes, SteadyClock } from '../clock.js';
import { makeDataFolder } from '../db/embedded/folders.js';

const NAME = 'clock.json';
/** Linux: changes at each boot. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

const keptClock = z.object({
  boot: z.string(),
  wall: z.number(),
  monotonic: z.number(),
  uptime: z.number(),
});

/** Null: unknown, so nothing is kept. */
async function bootId(): Promise<string | null> {
  const text = await readFile(BOOT_ID, 'utf8').catch(() => null);
  return text?.trim() ?? null;
}

/** Detects steps between processes of one boot (spec/board.md §16.3). */
export async function nodeClock(
  dataDir: string,
  machine?: MachineTimes,
): Promise<SteadyClock> {
  return new SteadyClock(machine, await readClockBase(dataDir));
}

/** Null for another boot or a damaged file. */
async function readClockBase(dataDir: string): Promise<ClockBase | null> {
  try {
    const text = await readFile(path.join(dataDir, NAME), 'utf8');
    const { boot, ...base } = keptClock.parse(JSON.parse(text));
    return boot === (await bootId()) ? base : null;
  } catch {
    return null;
  }
}

/** No fsync: it is worthless after a power cut. */
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
