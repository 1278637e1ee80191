import type {
  CommandAnswers,
  CommandName,
} from '../../server/dashboard/all-commands.js';
import { doCommand } from '../../server/dashboard/all-commands.js';
import { commandLine } from '../../server/dashboard/command.js';
import { withPeers } from './with-local-board.js';

type PeerCommand = Extract<CommandName, `peer.${string}`>;

/** Recorded on the trail. */
export function asOperator<N extends PeerCommand>(
  name: N,
  input: object,
): Promise<CommandAnswers[N]> {
  const given = Object.entries(input).filter(([, it]) => it !== undefined);
  return withPeers((context) =>
    doCommand(
      context,
      commandLine('operator'),
      name,
      Object.fromEntries(given),
    ),
  );
}
