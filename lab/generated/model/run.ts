import type { TestBoard } from '../../../test/support/board.js';
import type { Asker } from '../asker.js';
import type { Command } from './commands.js';
import { compare } from './compare.js';
import { decide, look, repeatReport, report } from './moderating.js';
import { again, ballot, rate, reply, retry, topic } from './posting.js';
import { type Of, Scene } from './scene.js';

type Steps = {
  [Name in Command['do']]: (scene: Scene, it: Of<Name>) => Promise<void>;
};

const STEPS: Steps = {
  ...{ topic, reply, retry, again, rate, ballot, report, decide, look },
  'repeat report': repeatReport,
  compare,
  advance: async ({ test }, { minutes }) => {
    test.clock.advance(minutes * 60_000);
  },
};

/**
 * Does one run on both boards and compares what they answer and show.
 *
 * @throws Error at the first difference, with the request before it.
 */
export async function run(
  test: TestBoard,
  asker: Asker,
  list: readonly Command[],
): Promise<void> {
  const { body } = await asker.get('/api/threads');
  const scene = new Scene(test, asker, body.cursor);
  try {
    for (const command of list) await step(scene, command);
    await compare(scene);
  } catch (error) {
    throw new Error(`${String(error)}\n${asker.told}`, { cause: error });
  }
}

async function step<Name extends Command['do']>(
  scene: Scene,
  command: Of<Name> & { do: Name },
): Promise<void> {
  await STEPS[command.do](scene, command);
}
