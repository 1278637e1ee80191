import { Progress } from '../../client/cli/progress.js';
import { parseConfig } from '../config.js';
import { openDatabase } from '../db/connect.js';
import { makeDataFolder } from '../db/embedded/folders.js';
import { migrations } from '../db/migrations/index.js';
import { silentLogger } from '../logger.js';
import { type JsonOption, print } from './output.js';

async function migrated() {
  const config = parseConfig(process.env);
  await makeDataFolder(config.dataDir);
  const { migrated: applied, close } = await openDatabase(config, silentLogger);
  await close();
  const place = config.databaseUrl === null ? config.dataDir : 'DATABASE_URL';
  return { applied, place };
}

/** Under the lock of starting nodes. */
export async function migrateDatabase({ json = false }: JsonOption) {
  const progress = new Progress('migrating', json);
  const { applied, place } = await progress.during(migrated());
  const made = applied.includes(migrations[0]?.name ?? '');
  const done =
    applied.length === 0 ? 'was at head; nothing to do' : 'is at head';
  const lines = applied.map((name) => `applied ${name}`);
  lines.push(`The schema ${done}.`);
  if (made)
    lines.push(
      `No board was in ${place}: this is a new database. If one was to be migrated, set its DATA_DIR or DATABASE_URL.`,
    );
  print(json, { ok: true, made, applied, at_head: true }, lines.join('\n'));
}
