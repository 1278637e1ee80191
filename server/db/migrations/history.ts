import type { DataSource, EntityManager } from 'typeorm';
import { migrations } from './index.js';

/** Of release 0.1.0; today's first nine lead to the same schema. */
export const FORMER: readonly string[] = [
  'Foundation1763700000000',
  'Polls1763700100000',
  'Discovery1763700200000',
  'Keys1763700300000',
  'Mesh1763700400000',
  'Witness1763700450000',
  'Operators1763700500000',
  'OperatorActions1763700550000',
  'Relay1763700600000',
  'Generations1763700650000',
  'DecisionGeneration1763700700000',
  'LagHistory1763800100000',
  'SearchGrams1763800200000',
  'SearchArchive1763800300000',
  'ShownChanges1763800500000',
  'SearchTail1763800600000',
  'MirrorsByPeer1763800700000',
  'OwnLogs1763800820000',
];

const SQUASHED = migrations.slice(0, 8).map(({ name }) => name);

/** Today's names of recorded migrations; null within the chain of 0.1.0. */
export function namesOfToday(recorded: readonly string[]): string[] | null {
  const others = recorded.filter((name) => !FORMER.includes(name));
  const former = recorded.length - others.length;
  if (former === 0) return others;
  return former === FORMER.length ? [...SQUASHED, ...others] : null;
}

/** Empty where the table `migrations` does not exist yet. */
export async function recordedMigrations(
  manager: EntityManager,
): Promise<string[]> {
  const [table] = await manager.query<{ there: boolean }[]>(
    "SELECT to_regclass('migrations') IS NOT NULL AS there",
  );
  if (table?.there !== true) return [];
  const rows = await manager.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY timestamp, id',
  );
  return rows.map(({ name }) => name);
}

/** Only where the database has the whole chain of 0.1.0. */
async function renameFormer(manager: EntityManager): Promise<void> {
  const recorded = await recordedMigrations(manager);
  if (!FORMER.every((name) => recorded.includes(name))) return;
  await manager.transaction(async (tx) => {
    await tx.query('DELETE FROM migrations WHERE name = ANY($1)', [FORMER]);
    await tx.query(
      `INSERT INTO migrations (timestamp, name)
       SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) AS name`,
      [SQUASHED],
    );
  });
}

const MIGRATING = 7_305_218_116;

/** Processes that start at once wait for each other. */
export async function runMigrations(source: DataSource): Promise<string[]> {
  const runner = source.createQueryRunner();
  await runner.query('SELECT pg_advisory_lock($1)', [MIGRATING]);
  await renameFormer(source.manager);
  const done = await source.runMigrations({ transaction: 'each' });
  await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATING]);
  await runner.release();
  return done.map(({ name }) => name);
}
