import { CommandFailure } from '../../server/cli/failure.js';
import { requireSeed } from '../../server/cli/tool-database.js';
import type { Config } from '../../server/config.js';
import { isUnused, newSeed, readSeed } from '../../server/ledger/board-seed.js';

/**
 * The used one, or a new one where the operator says that it is lost. `isNew`:
 * not stored yet; `known`: it may have signed a log.
 * @throws CommandFailure where there is none, or it is not lost
 */
export async function generationSeed(config: Config, lost: boolean) {
  if (!lost) {
    const instead =
      ' If it is lost for good, add --new-seed: the log goes on under a new key, which every peer has to confirm.';
    const boardSeed = await requireSeed(config, instead);
    const known = !(await isUnused(config.dataDir, boardSeed));
    return { boardSeed, isNew: false, known };
  }
  const kept = await readSeed(config);
  if (kept === null) {
    return { boardSeed: newSeed(), isNew: true, known: false };
  }
  // Made by a killed run, which signed nothing.
  if (await isUnused(config.dataDir, kept)) {
    return { boardSeed: kept, isNew: false, known: false };
  }
  throw new CommandFailure(
    'There is a seed (BOARD_SEED or DATA_DIR/board.seed), and --new-seed is for a board whose seed is lost; leave the option out, also where a run with it was interrupted, or move the seed away first.',
  );
}
