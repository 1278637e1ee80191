import { Progress } from '../../client/cli/progress.js';
import { parseConfig } from '../config.js';
import { openDatabase } from '../db/connect.js';
import { makeDataFolder } from '../db/embedded/folders.js';
import { silentLogger } from '../logger.js';
import { type JsonOption, print } from './output.js';

async function migrated(): Promise<string[]> {
  const config = parseConfig(process.env);
  await makeDataFolder(config.dataDir);
  const opened = await openDatabase(config, silentLogger);
  await opened.close();
  return opened.migrated;
}

/** Under the lock of starting nodes. */
export async function migrateDatabase({ json = false }: JsonOption) {
  const progress = new Progress('migrating', json);
  const applied = await progress.during(migrated());
  const lines = applied.map((name) => `applied ${name}`);
  const last =
    applied.length === 0
      ? 'The schema was at head; nothing to do.'
      : 'The schema is at head.';
  print(
    json,
    { ok: true, applied, at_head: true },
    [...lines, last].join('\n'),
  );
}
