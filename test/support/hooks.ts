import { startBoard, type TestBoard, type TestBoardOptions } from './board.js';
import { checkLedger } from './check-ledger.js';

type Begin<Scene> = (scene: Scene) => void | Promise<void>;
type Stops = { stop(): Promise<void> };

/** Starts a scene before every test of the suite and stops it after each. */
export function forEachTest<Scene extends Stops>(
  start: () => Promise<Scene>,
  begin: Begin<Scene>,
): void {
  let scene: Scene | null = null;
  beforeEach(async () => {
    scene = await start();
    await begin(scene);
  });
  afterEach(async () => {
    await scene?.stop();
    scene = null;
  });
}

/** Starts a scene once before the tests of the suite, and stops it after. */
export function forAllTests<Scene extends Stops>(
  start: () => Promise<Scene>,
  begin: Begin<Scene>,
): void {
  let scene: Scene | null = null;
  before(async () => {
    scene = await start();
    await begin(scene);
  });
  after(async () => {
    await scene?.stop();
  });
}

/** A board for every test of the suite, whose ledger is checked at the end. */
export function boardForEachTest(
  options: TestBoardOptions,
  begin: Begin<TestBoard>,
): void {
  let board: TestBoard;
  const start = async () => {
    board = await startBoard(options);
    return { stop: () => checkedStop(board) };
  };
  forEachTest(start, () => begin(board));
}

/** A board for the whole suite, whose ledger is checked at the end. */
export function boardForAllTests(
  options: TestBoardOptions,
  begin: Begin<TestBoard>,
): void {
  let board: TestBoard;
  const start = async () => {
    board = await startBoard(options);
    return { stop: () => checkedStop(board) };
  };
  forAllTests(start, () => begin(board));
}

async function checkedStop(board: TestBoard): Promise<void> {
  await checkLedger(board);
  await board.stop();
}
