import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.js';
import { loadBoardSeed } from '../keys.js';
import { CommandFailure } from './failure.js';

/** The board's seed, or null where there is none; a command makes no seed. */
export async function findSeed(config: Config): Promise<string | null> {
  if (config.boardSeed !== null) return config.boardSeed;
  const there = await access(path.join(config.dataDir, 'board.seed')).then(
    () => true,
    () => false,
  );
  return there ? await loadBoardSeed(null, config.dataDir) : null;
}

/** @throws CommandFailure where there is none. */
export async function requireSeed(config: Config): Promise<string> {
  const seed = await findSeed(config);
  if (seed !== null) return seed;
  const file = path.resolve(path.join(config.dataDir, 'board.seed'));
  throw new CommandFailure(
    `${file} does not exist; restore it from your backup, or set DATA_DIR or BOARD_SEED to those of the board.`,
  );
}
