import type { Config } from '../../config.js';
import type { Database } from '../../db/sql.js';
import { planStart } from '../../ledger/start-plan.js';
import { failureLines } from '../failure.js';
import { assertPortsFree } from '../free-ports.js';
import { isNodeRunning, readLogHead } from '../node.sql.js';
import { localAddress, readNodeAddress } from '../node-address.js';
import { care } from './care.js';
import { type Check, failOf, ok, warn } from './check.js';
import { nodeAnswers, publicAddress } from './reachable.js';

/**
 * Asks the running node where there is one (spec/board.md §16.23), and says what
 * the board needs of its operators and of its peers.
 */
export async function runningNode(
  db: Database,
  config: Config,
): Promise<Check[]> {
  const node = readNodeAddress(config.dataDir);
  const local = node?.local ?? localAddress(config.host, config.port);
  const linked = () => linkedBoards(db, config);
  if (!(await isNodeRunning(db))) {
    const free = await ports(config);
    return [free, ...(await care(db, config, false)), ...(await linked())];
  }
  const running = node === null ? config : { ...config, baseUrl: node.url };
  const head = await readLogHead(db);
  return [
    ...(node === null || node.url === config.baseUrl
      ? []
      : [otherAddress(node.url, config.baseUrl)]),
    await nodeAnswers(local),
    ...(await publicAddress(running, local, head?.origin ?? '')),
    ...(await care(db, config, true)),
    ...(await linked()),
  ];
}

function otherAddress(running: string, asked: string): Check {
  return warn(
    'settings',
    `the running node is at ${running}, these settings say ${asked}`,
    'run commands with the settings of the node, or restart it with these',
  );
}

/** What a start would refuse. */
export async function ports(config: Config): Promise<Check> {
  const name = 'port';
  try {
    await assertPortsFree(config);
    return ok(name, `${config.host}:${config.port} is free`);
  } catch (error) {
    return failOf(name, failureLines(error).join(' '));
  }
}

async function linkedBoards(db: Database, config: Config): Promise<Check[]> {
  const { peerChecks } = await import('../../../mesh/cli/peer-checks.js');
  const plan = await planStart(db, config, Date.now()).catch(() => null);
  return plan === null ? [] : await peerChecks(db, plan.own.keys);
}
