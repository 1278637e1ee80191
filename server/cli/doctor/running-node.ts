import type { Config } from '../../config.js';
import type { Database } from '../../db/sql.js';
import { isNodeRunning } from '../running-node.js';
import { type Check, fail, ok, warn } from './check.js';

const ANSWER_MS = 5000;

/** Asks the running node where there is one (spec/board.md §16.23). */
export async function runningNode(
  db: Database,
  { host, port }: Config,
): Promise<Check[]> {
  const name = 'running node';
  if (!(await isNodeRunning(db))) return [];
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${at.includes(':') ? `[${at}]` : at}:${port}`;
  const status = await fetch(`${url}/readyz`, {
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(
    (answer) => answer.status,
    () => null,
  );
  if (status === 200) return [ok(name, `${url} is ready`)];
  if (status === 503) {
    const fix = 'do what the other lines say; its log names the reason';
    return [fail(name, `${url} is not ready`, fix)];
  }
  const detail = `one uses this database, and none answers at ${url}`;
  return [warn(name, detail, 'set HOST and PORT to those of the node')];
}
