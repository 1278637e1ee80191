import type { TestBoard } from '../../support/board.js';
import { boardForAllTests } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';

/** One board for the suite, and a topic of its own for every test. */
export function topicForEachTest(
  begin: (test: TestBoard, topic: number) => void,
): void {
  let test: TestBoard;

  boardForAllTests({ limits: LIFTED }, (made) => {
    test = made;
  });

  beforeEach(async () => {
    begin(test, (await publish(test)).message.id);
  });
}
