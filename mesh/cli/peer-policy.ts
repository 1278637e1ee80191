import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { inertLine } from '../../client/cli/inert.js';
import { Progress } from '../../client/cli/progress.js';
import { say } from '../../client/cli/standard-output.js';
import { withoutMark } from '../../protocol/bytes.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { asOperator } from '../../server/cli/operator-work.js';
import { type JsonOption, print } from '../../server/cli/output.js';
import { systemClock } from '../../server/clock.js';
import type { Config } from '../../server/config.js';
import { LogState } from '../../server/db/entities/log.js';
import type { Database } from '../../server/db/sql.js';
import { boardKeys, cryptoReady } from '../../server/ledger/board-keys.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { PEERS } from '../../server/operations/backup/manifest.js';
import type { PeerPolicy, PolicyDifference } from '../mesh-ports.js';
import { exportPolicy } from '../peers/policy.js';

/** JSON on standard output. */
export async function policyExport(): Promise<void> {
  const policy = await asOperator('peer.policy_export', {});
  say(`${JSON.stringify(policy, null, 2)}\n`);
}

/** For a backup; undefined where no board was ever started. */
export async function policyOf(
  config: Config,
  db: Database,
  boardSeed: string,
): Promise<PeerPolicy | undefined> {
  const log = await db.manager.findOneBy(LogState, { originId: OWN_LOG });
  if (log === null) return undefined;
  await cryptoReady();
  const { board: name, origin } = log;
  const keys = boardKeys({ ...config, boardSeed }, name, origin);
  const board = { name, origin };
  return await exportPolicy({ db, keys, board, clock: systemClock });
}

/** A dry run without `--apply`. */
export async function policyImport(
  file: string,
  { json = false, apply = false }: JsonOption & { apply?: boolean },
): Promise<void> {
  const policy = await readPolicy(file);
  const progress = new Progress('importing', json);
  const differences = await progress.during(
    asOperator('peer.policy_import', { policy, apply }),
  );
  const refused = differences.filter(({ action }) => action === 'refused');
  const ok = refused.length === 0;
  print(
    json,
    { ok, applied: apply, differences },
    differenceLines(differences, apply),
  );
  if (ok) return;
  process.stderr.write(
    `reserve-board: ${refused.length} of ${differences.length} peers of the policy are refused; the reasons stand beside them.\n`,
  );
  process.exitCode = 1;
}

async function readPolicy(file: string): Promise<unknown> {
  const text = await readFile(await policyFile(file), 'utf8');
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    throw new CommandFailure(
      `${file} is no JSON; "reserve-board peer policy export" writes a policy.`,
    );
  }
}

/** A backup's folder contains a policy. */
async function policyFile(file: string): Promise<string> {
  if (file === '-') return '/dev/stdin';
  const found = await stat(file).catch(() => null);
  if (found === null) {
    throw new CommandFailure(
      `${file} does not exist; name what "peer policy export" wrote, or the folder of a backup. Without either, add each board by "peer add <url>".`,
    );
  }
  return found.isDirectory() ? path.join(file, PEERS) : file;
}

function differenceLines(
  differences: readonly PolicyDifference[],
  applied: boolean,
): string {
  const lines = differences.flatMap(({ name, action, changes, detail }) => [
    `${action}: ${name}${detail === undefined ? '' : ` (${detail})`}`,
    ...changes
      .filter(({ from, to }) => from !== to)
      .map(
        ({ field, from, to }) =>
          `  ${field}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
      ),
  ]);
  const last = applied
    ? 'Applied.'
    : 'Nothing was changed; add --apply to change it.';
  return [...lines.map(inertLine), last].join('\n');
}
