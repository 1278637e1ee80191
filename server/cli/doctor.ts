import { existsSync } from 'node:fs';
import path from 'node:path';
import { Progress } from '../../client/cli/progress.js';
import { type Config, ConfigError, parseConfig } from '../config.js';
import { mailWay } from '../dashboard/notifications/mail.js';
import { alertName } from '../dashboard/notifications/words.js';
import { clusterOf } from '../db/embedded/layout.js';
import { orphanOf } from '../db/embedded/orphans.js';
import { Operator } from '../db/entities/operator.js';
import type { Database } from '../db/sql.js';
import { parseTrustProxy } from '../http/network.js';
import {
  ALERTS,
  freeDisk,
  isLow,
  isSupportedNode,
  nodeWarning,
  openAlerts,
} from '../operations/index.js';
import { readLogHead } from '../operations/operations.sql.js';
import { type Check, fail, failOf, ok, table, warn } from './doctor/check.js';
import { clockStep, ledger, schema, server } from './doctor/database.js';
import { dataFolder, rootChecks } from './doctor/files.js';
import { pageFor } from './doctor/page.js';
import { nodeAnswers, publicAddress } from './doctor/reachable.js';
import { startChecks } from './doctor/start.js';
import { failureLines } from './failure.js';
import { assertPortsFree } from './free-ports.js';
import { hasTables, isNodeRunning } from './node.sql.js';
import { localAddress, readNodeAddress } from './node-address.js';
import { type JsonOption, print } from './output.js';
import { databaseExists, withOwnDatabase } from './tool-database.js';

async function insideDatabase(db: Database, config: Config): Promise<Check[]> {
  const checks = await server(db);
  const head = await schema(db);
  checks.push(head);
  if (head.state !== 'ok') {
    const isEmpty = !(await hasTables(db));
    return isEmpty ? [...checks, ...(await startChecks(null, config))] : checks;
  }
  return [
    ...checks,
    ...(await startChecks(db, config)),
    ...(await ledger(db)),
    ...(await clockStep(db, config.dataDir)),
    ...(await runningNode(db, config)),
  ];
}

async function databaseChecks(config: Config): Promise<Check[]> {
  if (!(await databaseExists(config))) {
    const checks = await startChecks(null, config);
    const none = await noDatabase(config);
    return [none, ...checks, await ports(config)];
  }
  try {
    return await withOwnDatabase(config, (db) => insideDatabase(db, config));
  } catch (error) {
    const [line = ''] = failureLines(error);
    return [failOf('database', line)];
  }
}

/** A server outlives its deleted folder for a while. */
async function noDatabase({ dataDir }: Config): Promise<Check> {
  const orphan = await orphanOf(clusterOf(path.resolve(dataDir)));
  if (orphan === undefined) {
    return warn('database', 'not made yet', 'start makes an empty one');
  }
  const detail = `not made yet, and the PostgreSQL of a folder that was in its place still runs as process ${orphan.pid}`;
  const fix =
    orphan.clients === 0
      ? 'the next start or restore ends it'
      : 'stop the node that uses it before anything is restored here';
  return warn('database', detail, fix);
}

async function allChecks(): Promise<Check[]> {
  const { checks, config } = settings(process.env);
  checks.unshift(nodeVersion());
  if (config === null) return checks;
  checks.push(await dataFolder(config), await freeDiskCheck(config.dataDir));
  checks.push(...(await rootChecks(config)));
  if (config.smtpUrl !== null) {
    checks.push(ok('e-mail', mailWay(config.smtpUrl)));
  }
  return [...checks, ...(await databaseChecks(config))];
}

type Flags = JsonOption & { deep?: boolean; backup?: string[] };

/** Changes nothing. `--deep` also reads the whole log and asks peers. */
export async function doctor(flags: Flags): Promise<void> {
  const { json = false, deep = false, backup = [] } = flags;
  const progress = new Progress('checking', json);
  const checks = await progress.during(deep ? allDeep(backup) : allChecks());
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const page = deep ? pageFor(checks, backup.length > 0) : null;
  const lines = [table(checks)];
  if (page !== null) {
    lines.push(`See docs/recover.md#${page.id}, "${page.title}".`);
  }
  if (deep && page === null && isNothingHere(checks)) lines.push(NOTHING);
  const facts = { ok: failed === 0, checks, ...(deep ? { page } : {}) };
  print(json, facts, lines.join('\n'));
  if (failed === 0) return;
  process.stderr.write(
    `reserve-board: ${failed} of ${checks.length} checks failed; the fixes stand beside them.\n`,
  );
  process.exitCode = 1;
}

const NOTHING =
  'Nothing of a board is here. If there was one, do not start it. Follow docs/recover.md#backup-and-seed with a backup and the seed, #seed-only with the seed and a board that mirrors it, #peers-only with such a board alone.';

/** A new board, or one that lost everything. */
function isNothingHere(checks: readonly Check[]): boolean {
  const isMissing = ({ detail }: Check) => detail.startsWith('not made yet');
  const missing = checks.filter(isMissing).map(({ name }) => name);
  return missing.includes('database') && missing.includes('board seed');
}

/** Nothing can be read of it, and it may be whole. */
const isAway = ({ name, detail }: Check) =>
  name === 'database' && /cannot be reached|does not answer/.test(detail);

async function allDeep(backups: readonly string[]): Promise<Check[]> {
  const checks = await allChecks();
  const { config } = settings(process.env);
  if (config === null || checks.some(isAway)) return checks;
  const { deepChecks } = await import('./doctor/deep.js');
  return [...checks, ...(await deepChecks(config, backups))];
}

function settings(env: NodeJS.ProcessEnv): {
  checks: Check[];
  config: Config | null;
} {
  const name = 'settings';
  const fix = 'correct it in the environment (.env.example lists all)';
  try {
    const config = parseConfig(env);
    parseTrustProxy(config.trustProxy);
    return { checks: [ok(name, `board at ${config.baseUrl}`)], config };
  } catch (error) {
    const faults =
      error instanceof ConfigError ? error.faults : [(error as Error).message];
    return {
      checks: faults.map((fault) => fail(name, fault, fix)),
      config: null,
    };
  }
}

function nodeVersion(): Check {
  const name = 'Node.js';
  const version = process.versions.node;
  if (isSupportedNode(version)) {
    const warning = nodeWarning(version, Date.now());
    if (warning === null) return ok(name, version);
    return warn(name, warning.detail, warning.fix);
  }
  return fail(
    name,
    `${version} is not supported`,
    'install Node.js 20.19, 22.13, 24.11 or newer of these lines',
  );
}

async function freeDiskCheck(dataDir: string): Promise<Check> {
  const name = 'disk';
  let folder = path.resolve(dataDir);
  while (!existsSync(folder)) folder = path.dirname(folder); // start makes it
  const free = await freeDisk(folder);
  if (free === null)
    return ok(name, 'the system does not say how much is free');
  const detail = `${(free.bytes / 1e9).toFixed(1)} GB free (${Math.round(free.share * 100)} %)`;
  const fix = 'make room, or move DATA_DIR to a larger disk';
  return isLow(free) ? fail(name, detail, fix) : ok(name, detail);
}

/** spec/board.md §16.23 */
async function runningNode(db: Database, config: Config): Promise<Check[]> {
  const node = readNodeAddress(config.dataDir);
  const local = node?.local ?? localAddress(config.host, config.port);
  if (!(await isNodeRunning(db))) {
    return [await ports(config), ...(await care(db, config))];
  }
  const running = node === null ? config : { ...config, baseUrl: node.url };
  const head = await readLogHead(db);
  return [
    ...(node === null || node.url === config.baseUrl
      ? []
      : [
          warn(
            'settings',
            `the running node is at ${node.url}, these settings say ${config.baseUrl}`,
            'run commands with the settings of the node, or restart it with these',
          ),
        ]),
    await nodeAnswers(local),
    ...(await publicAddress(running, local, head?.origin ?? '')),
    ...(await care(db, config)),
  ];
}

async function ports(config: Config): Promise<Check> {
  const name = 'port';
  try {
    await assertPortsFree(config);
    return ok(name, `${config.host}:${config.port} is free`);
  } catch (error) {
    return failOf(name, failureLines(error).join(' '));
  }
}

/** What a board needs of its operators; the alerts say how old what is. */
async function care(db: Database, config: Config): Promise<Check[]> {
  const alerts = await openAlerts(db);
  return [
    contact(config),
    await operators(db),
    ...alerts.map(({ kind, detail }) =>
      warn('alert', `${alertName(kind)}: ${detail.trim()}`, ALERTS[kind]),
    ),
  ];
}

function contact({ boardContact }: Config): Check {
  const name = 'contact';
  if (boardContact !== '') return ok(name, boardContact);
  return warn(
    name,
    'readers find no way to reach the operators',
    'set BOARD_CONTACT to an e-mail address or an https: page',
  );
}

async function operators({ manager }: Database): Promise<Check> {
  const name = 'operators';
  const count = await manager.countBy(Operator, { state: 'active' });
  if (count > 0) return ok(name, `${count} active`);
  return warn(
    name,
    'nobody can sign in to the dashboard',
    'run "reserve-board operator invite <name> --role admin" and open its link',
  );
}
