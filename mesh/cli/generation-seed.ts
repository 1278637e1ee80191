import { CommandFailure } from '../../server/cli/failure.js';
import { requireSeed } from '../../server/cli/tool-database.js';
import type { Config } from '../../server/config.js';
import { isUnused, newSeed, readSeed } from '../../server/ledger/board-seed.js';

/**
 * The seed that signs a new generation: the one in use, or a new one only where
 * the operator says that the former one is lost. `isNew`: made now and stored
 * nowhere yet; `known`: it may have signed a log of which nothing else is left.
 * @throws CommandFailure where there is none to use, or none lost.
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
  // A run that was killed has made it, and signed nothing.
  if (await isUnused(config.dataDir, kept)) {
    return { boardSeed: kept, isNew: false, known: false };
  }
  throw new CommandFailure(
    'There is a seed (BOARD_SEED or DATA_DIR/board.seed), and --new-seed is for a board whose seed is lost; leave the option out, also where a run with it was interrupted, or move the seed away first.',
  );
}
