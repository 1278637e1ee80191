import type { Config } from '../config.js';
import { readSeed, seedFile } from '../ledger/board-seed.js';
import { CommandFailure } from './failure.js';

/**
 * The board's seed; a command makes none.
 * @throws CommandFailure where there is none; `instead` is what else to do.
 */
export async function requireSeed(
  config: Config,
  instead = '',
): Promise<string> {
  const seed = await readSeed(config);
  if (seed !== null) return seed;
  const file = seedFile(config.dataDir);
  throw new CommandFailure(
    `${file} does not exist; restore it from your backup, or set DATA_DIR or BOARD_SEED to those of the board.${instead}`,
  );
}
