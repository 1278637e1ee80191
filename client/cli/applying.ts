import { AgentFailure } from './failure.js';

/**
 * Refuses options that would be ignored: the answer would be for another
 * question.
 * @param all options of some tasks, with the tasks' names
 * @param applying those of this task
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
