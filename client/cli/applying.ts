import { AgentFailure } from './failure.js';

/**
 * Refuses options that a command would ignore: a caller who gave one would take the
 * answer for another question's.
 *
 * @param all options that only go with some of a command's tasks, with what
 * they go with
 * @param applying those of the task that was asked for
 */
export function assertApply<Name extends string>(
  options: Readonly<{ [N in Name]?: unknown }>,
  all: Readonly<Record<Name, string>>,
  task: string,
  applying: readonly Name[],
): void {
  for (const [name, place] of Object.entries(all) as [Name, string][]) {
    if (options[name] === undefined || applying.includes(name)) continue;
    const flag = `--${name.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`;
    throw new AgentFailure(
      `${flag} does not apply to ${task}; it goes with ${place}.`,
    );
  }
}
