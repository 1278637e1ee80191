import { readFile } from 'node:fs/promises';
import { inertLine } from '../../client/cli/inert.js';
import { Progress } from '../../client/cli/progress.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { type JsonOption, print } from '../../server/cli/output.js';
import type { PolicyDifference } from '../mesh-ports.js';
import { asOperator } from './peer-operator.js';

/** `peer policy export`: the policy alone on standard output, as JSON. */
export async function policyExport(): Promise<void> {
  const policy = await asOperator('peer.policy_export', {});
  process.stdout.write(`${JSON.stringify(policy, null, 2)}\n`);
}

/** `peer policy import <file>`: a dry run, unless `--apply`. */
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
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(
      `${file} is no JSON; "reserve-board peer policy export" writes a policy.`,
    );
  }
}

function differenceLines(
  differences: readonly PolicyDifference[],
  applied: boolean,
): string {
  const lines = differences.flatMap(({ name, action, changes, detail }) => [
    `${action}: ${name}${detail === undefined ? '' : ` (${detail})`}`,
    ...changes.map(
      ({ field, from, to }) =>
        `  ${field}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
    ),
  ]);
  const last = applied
    ? 'Applied.'
    : 'Nothing was changed; add --apply to change it.';
  return [...lines.map(inertLine), last].join('\n');
}
