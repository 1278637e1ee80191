import { startBoard, type TestBoard, type TestBoardOptions } from './board.js';
import { checkLedger } from './check-ledger.js';

type Begin<Scene> = (scene: Scene) => void | Promise<void>;
type Stops = { stop(): Promise<void> };

/** Starts a scene before every test of the suite and stops it after each. */
export function forEachTest<Scene extends Stops>(
  start: () => Promise<Scene>,
  begin: Begin<Scene>,
): void {
  around(beforeEach, afterEach, start, begin);
}

/** Starts a scene once before the tests of the suite, and stops it after. */
export function forAllTests<Scene extends Stops>(
  start: () => Promise<Scene>,
  begin: Begin<Scene>,
): void {
  around(before, after, start, begin);
}

function around<Scene extends Stops>(
  first: Mocha.HookFunction,
  last: Mocha.HookFunction,
  start: () => Promise<Scene>,
  begin: Begin<Scene>,
): void {
  let scene: Scene | null = null;
  first(async () => {
    scene = await start();
    await begin(scene);
  });
  last(async () => {
    await scene?.stop();
    scene = null;
  });
}

/** A board for every test of the suite, whose ledger is checked at the end. */
export function boardForEachTest(
  options: TestBoardOptions,
  begin: Begin<TestBoard>,
): void {
  forEachTest(checkedBoard(options), ({ board }) => begin(board));
}

/** A board for the whole suite, whose ledger is checked at the end. */
export function boardForAllTests(
  options: TestBoardOptions,
  begin: Begin<TestBoard>,
): void {
  forAllTests(checkedBoard(options), ({ board }) => begin(board));
}

function checkedBoard(options: TestBoardOptions) {
  return async () => {
    const board = await startBoard(options);
    const stop = async () => {
      await checkLedger(board);
      await board.stop();
    };
    return { board, stop };
  };
}
