import { Progress } from '../../client/cli/progress.js';
import { ready as signingReady } from '../../protocol/signing.js';
import type { Config } from '../config.js';
import type { Database } from '../db/sql.js';
import { type Check, failOf, table, warn } from './doctor/check.js';
import { databaseClock, hasLogs, schema, server } from './doctor/database.js';
import { dataFolder } from './doctor/files.js';
import { ledger } from './doctor/ledger.js';
import { freeDisk, nodeVersion } from './doctor/machine.js';
import { rootChecks } from './doctor/root.js';
import { runningNode } from './doctor/running-node.js';
import { settings } from './doctor/settings.js';
import { startChecks } from './doctor/start.js';
import { failureLines } from './failure.js';
import { type JsonOption, print } from './output.js';
import { databaseExists, withOwnDatabase } from './tool-database.js';

async function insideDatabase(db: Database, config: Config): Promise<Check[]> {
  const checks = await server(db);
  const head = await schema(db);
  checks.push(head);
  if (head.state !== 'ok') {
    const isEmpty = !(await hasLogs(db));
    return isEmpty ? [...checks, ...(await startChecks(null, config))] : checks;
  }
  return [
    ...checks,
    ...(await startChecks(db, config)),
    ...(await ledger(db)),
    ...(await runningNode(db, config)),
    await databaseClock(db),
  ];
}

async function databaseChecks(config: Config): Promise<Check[]> {
  if (!(await databaseExists(config))) {
    const checks = await startChecks(null, config);
    const none = warn('database', 'not made yet', 'start makes an empty one');
    return [none, ...checks];
  }
  try {
    return await withOwnDatabase(config, (db) => insideDatabase(db, config));
  } catch (error) {
    const [line = ''] = failureLines(error);
    return [failOf('database', line)];
  }
}

async function allChecks(): Promise<Check[]> {
  await signingReady;
  const { checks, config } = settings(process.env);
  checks.unshift(nodeVersion());
  if (config === null) return checks;
  checks.push(await dataFolder(config), await freeDisk(config.dataDir));
  checks.push(...(await rootChecks(config)));
  return [...checks, ...(await databaseChecks(config))];
}

/** `reserve-board doctor`: looks at everything, changes nothing. */
export async function doctor({ json = false }: JsonOption): Promise<void> {
  const progress = new Progress('checking', json);
  const checks = await progress.during(allChecks());
  const failed = checks.filter(({ state }) => state === 'fail').length;
  print(json, { ok: failed === 0, checks }, table(checks));
  if (failed === 0) return;
  process.stderr.write(
    `reserve-board: ${failed} of ${checks.length} checks failed; the fixes stand beside them.\n`,
  );
  process.exitCode = 1;
}
