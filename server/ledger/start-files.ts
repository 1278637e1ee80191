import { parseLogOrigin } from '../../protocol/board-name.js';
import type { Config } from '../config.js';
import { isUnused, readSeed, seedFile } from './board-seed.js';
import { headFile, type KeptHead, readHeadFile } from './head-file.js';
import { StartRefusal } from './start-refusal.js';

/** What DATA_DIR and the settings hold of a board's past. */
export type StartFiles = {
  seed: string | null;
  /** The seed was made here, and nothing has been signed with it. */
  unused: boolean;
  head: KeptHead | null;
};

/**
 * Reads what a start decides by before it opens a database, and writes nothing.
 * @throws StartRefusal for a damaged file, and for a head file without its seed
 * or under another name.
 */
export async function readStartFiles(
  config: Pick<Config, 'boardSeed' | 'dataDir' | 'boardName'>,
): Promise<StartFiles> {
  const { dataDir, boardName } = config;
  const seed = await readSeed(config);
  const head = await readHeadFile(dataDir);
  if (seed === null && head !== null) {
    const { size, origin } = head;
    throw missingSeed(
      dataDir,
      `${headFile(dataDir)} remembers ${size} entries of ${origin}`,
    );
  }
  const first = parseLogOrigin(head?.origin ?? '')?.name;
  if (first !== undefined) assertName(boardName, first);
  const unused = seed !== null && (await isUnused(dataDir, seed));
  return { seed, unused, head };
}

/**
 * A name is taken once and kept, in the database and with the head file.
 * @throws StartRefusal where the settings ask for another.
 */
export function assertName(asked: string | null, first: string): void {
  if (asked === null || asked === first) return;
  throw new StartRefusal(
    'board name',
    `BOARD_NAME is ${asked}, but this board was first started as ${first}, and a name never changes; set BOARD_NAME=${first}, or start a new board with another DATA_DIR and DATABASE_URL.`,
  );
}

/** `proof` says how it is known that a log was begun. */
export function missingSeed(dataDir: string, proof: string): StartRefusal {
  return new StartRefusal(
    'board seed',
    `${seedFile(dataDir)} is missing, but this board's log was begun with it (${proof}); restore it from your backup, or set DATA_DIR or BOARD_SEED to those of the board. If it is lost for good, "reserve-board log new-generation --new-seed" goes on under a new one.`,
  );
}
