import { formatVkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { hasTables } from '../../server/cli/node.sql.js';
import {
  databaseExists,
  requireSeed,
  withOwnDatabase,
} from '../../server/cli/tool-database.js';
import type { Config } from '../../server/config.js';
import { AgentKeyEvent } from '../../server/db/entities/agent-key.js';
import { LogState } from '../../server/db/entities/log.js';
import type { Database } from '../../server/db/sql.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import { isUnused, newSeed, readSeed } from '../../server/ledger/board-seed.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { formerLogKeys } from '../../server/ledger/record-identity.js';
import { nextGeneration, whyUnseen } from '../restore/open-generation.js';
import { besideTheLog } from '../restore/plan-restore.js';
import { readPast } from '../restore/read-past.js';
import { besideText } from './log-restore.js';
import { mirrorUrls, withClient } from './with-local-board.js';

export type GenerationPlan = Awaited<ReturnType<typeof planGeneration>>;

/** `--dry-run`, for programs and tests: writes nothing. */
export async function planGeneration(
  config: Config,
  options: {
    urls: readonly string[];
    formerKey: string | null;
    newSeed: boolean;
    onProgress: (size: number, of: number) => void;
  },
) {
  const { urls, formerKey, newSeed, onProgress } = options;
  const seed = await generationSeed(config, newSeed);
  const { boardSeed, known: seedKnown } = seed;
  const plan = async (opened: Database | null) => {
    const db = opened !== null && (await hasTables(opened)) ? opened : null;
    const from = db === null ? urls : await mirrorUrls(db, urls);
    const past = await withClient(config, (client) =>
      readPast({ db, config, boardSeed, seedKnown, client, onProgress }, from),
    );
    const next = nextGeneration(past);
    const seeds = { ...config, boardSeed };
    const keys = boardKeys(seeds, past.board, next.origin);
    const own = { board: past.board, origin: next.origin, keys };
    const former = await formerLogKeys(db, seeds, own, formerKey);
    const here = { originId: OWN_LOG, origin: past.origin };
    const log = await db?.manager.findOneBy(LogState, here);
    return {
      board: past.board,
      closes: past.origin,
      /** Entries in this database. */
      size: log?.size ?? 0,
      origin: next.origin,
      first_message_id: next.lastMessageId + 1,
      witnessed: past.witnessed,
      unseen: whyUnseen(past),
      agents: db === null ? 0 : await agentsOf(db),
      signed_by_former_key: former.some(
        ({ vkey }) => formatVkey(vkey) === past.logVkey,
      ),
      beside: await besideTheLog(db),
    };
  };
  if (!(await databaseExists(config))) return await plan(null);
  return await withOwnDatabase(config, plan);
}

async function agentsOf({ manager }: Database): Promise<number> {
  const row = await manager
    .createQueryBuilder(AgentKeyEvent, 'event')
    .select('count(DISTINCT event.agentId)::int', 'agents')
    .where({ originId: OWN_LOG })
    .getRawOne<{ agents: number }>();
  return row?.agents ?? 0;
}

export function planText(plan: GenerationPlan): string {
  const { closes, size, agents, unseen, signed_by_former_key } = plan;
  return [
    `Nothing was changed. A new generation would end ${closes} for good and begin ${plan.origin}.`,
    size > 0
      ? `Its ${size} entries would stay readable here, and the keys of ${agents} agents be carried over.`
      : 'No entry of it is here; mirrors may still have them.',
    `The next message would have the ID ${plan.first_message_id}${unseen === null ? '' : `: ${unseen}, so a million are left out to be safe`}.`,
    'Lost is what only mirrors hold of it, for this board: where the seed is left, "reserve-board log restore --from <url>" brings that back, and the log goes on.',
    signed_by_former_key
      ? 'A former key would sign the new one, and peers be shown so; each has to confirm it.'
      : 'No former key could sign the new one: peers would be shown "NOT signed by the key you confirmed".',
    ...besideText(plan.beside),
  ].join('\n');
}

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
