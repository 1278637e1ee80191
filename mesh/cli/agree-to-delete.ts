import { inertLine } from '../../client/cli/inert.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { agree, canAsk, type JsonOption } from '../../server/cli/output.js';
import type { PeerHoldings } from '../mesh-ports.js';

export type Asking = JsonOption & { yes?: boolean };

/**
 * Says what is deleted and asks for the name of the board; a script says
 * `--yes`. `deleted` null asks also where there is nothing to delete.
 * @throws CommandFailure where nobody agrees.
 */
export async function agreeToDelete(
  flags: Asking,
  held: PeerHoldings,
  deleted: number | null,
  lines: readonly string[],
): Promise<void> {
  if (flags.yes || deleted === 0) return;
  const { name, guests, only_here: onlyHere } = held;
  const counts = `It deletes ${textCount(deleted ?? held.texts)}. Of ${name} this board keeps ${textCount(held.texts)}, ${guests} of them of guests; ${onlyHere} are known on no other board.`;
  const all = [...lines, counts].map(inertLine);
  if (canAsk(flags)) {
    if (await agree(all, inertLine(name))) return;
    throw new CommandFailure('Nothing was changed.');
  }
  throw new CommandFailure(`${all.join(' ')} Add --yes to do it.`, { held });
}

export function textCount(count: number): string {
  return count === 1 ? '1 text' : `${count} texts`;
}
