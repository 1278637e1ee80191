import { inertJson } from '../../client/cli/inert.js';
import { doCommand, isCommand } from '../dashboard/commands/run-command.js';
import { COMMANDS } from '../dashboard/events.js';
import { operatorOf } from './decision.js';
import { CommandFailure } from './failure.js';
import type { JsonOption } from './output.js';
import { withOwnDesk } from './with-local-board.js';

type Options = JsonOption & { operator?: string };

/**
 * `operator do <command> [input]`: any command of the dashboard, for scripts
 * (spec/operators.md §3), with the same schema and answer. Always JSON.
 */
export async function doAsOperator(
  name: string,
  input: string | undefined,
  options: Options,
): Promise<void> {
  if (!isCommand(name)) {
    const names = Object.keys(COMMANDS).join(', ');
    throw new CommandFailure(
      `There is no command ${name}; name one of ${names}.`,
    );
  }
  if (name.startsWith('peer.')) {
    throw new CommandFailure(
      'Peers have commands of their own; see "reserve-board peer --help".',
    );
  }
  const asked = parsed(input ?? '{}');
  const operator = operatorOf(options.operator);
  const data = await withOwnDesk((desk) =>
    doCommand({ ...desk, peers: null }, operator, name, asked),
  );
  process.stdout.write(`${inertJson({ ok: true, data })}\n`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(
      'The input must be JSON, such as \'{"subject": "message:12"}\'.',
    );
  }
}
