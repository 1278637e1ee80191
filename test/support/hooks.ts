import { startBoard, type TestBoard, type TestBoardOptions } from './board.js';
import { checkLedger } from './check-ledger.js';

type Begin<Scene> = (scene: Scene) => void | Promise<void>;
type CheckedOptions = TestBoardOptions & {
  /** `false` where a test wrote rows that were never published. */
  ledger?: false;
};
type Stops = { stop(): Promise<void> };

export function forEachTest<Scene extends Stops>(
  start: () => Promise<Scene>,
  begin: Begin<Scene>,
): void {
  around(beforeEach, afterEach, start, begin);
}

export function forAllTests<Scene extends Stops>(
  start: () => Promise<Scene>,
  begin: Begin<Scene>,
): void {
  around(before, after, start, begin);
}

/**
 * Starts a scene before the first test of the suite and stops it after the
 * last. Its members can be taken apart where the suite is described, as in
 * `const { test, admin } = given(operators)`: each stands in for what is there
 * while the suite runs.
 */
export function given<Scene extends Stops>(
  start: () => Promise<Scene>,
): Omit<Scene, 'stop'> {
  return sceneOf(forAllTests, start);
}

/** The same for a scene that is started before every test and stopped after. */
export function givenEach<Scene extends Stops>(
  start: () => Promise<Scene>,
): Omit<Scene, 'stop'> {
  return sceneOf(forEachTest, start);
}

function sceneOf<Scene extends Stops>(
  begin: typeof forAllTests,
  start: () => Promise<Scene>,
): Scene {
  let scene: (Scene & object) | null = null;
  begin(start, (started) => {
    scene = started;
  });
  const real = () => {
    if (scene === null) throw new Error('no test has begun');
    return scene;
  };
  const member = (name: string | symbol) => () =>
    Reflect.get(real(), name) as object;
  return new Proxy(standIn<Scene & object>(real), {
    get: (now, name) =>
      scene === null ? standIn(member(name)) : Reflect.get(now, name),
  });
}

/** A board for the whole suite, whose ledger is checked at the end. */
export function givenBoard(options: CheckedOptions = {}): TestBoard {
  return given(checkedBoard(options)).board;
}

/** The same for each test, with options of its own: a clock goes on. */
export function givenEachBoard(options: () => CheckedOptions): TestBoard {
  return givenEach(() => checkedBoard(options())()).board;
}

/** What is looked up in `real` at every use. */
function standIn<T extends object>(real: () => T): T {
  // A function, so that a member of the scene can be called.
  return new Proxy((() => {}) as unknown as T, {
    apply: (_, self, given) =>
      Reflect.apply(real() as () => unknown, self, given),
    get: (_, name) => {
      const it = real();
      const value = Reflect.get(it, name) as unknown;
      return typeof value === 'function' ? value.bind(it) : value;
    },
    set: (_, name, value) => Reflect.set(real(), name, value),
    has: (_, name) => Reflect.has(real(), name),
  });
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

function checkedBoard({ ledger, ...options }: CheckedOptions) {
  return async () => {
    const board = await startBoard(options);
    const stop = async () => {
      if (ledger !== false) await checkLedger(board);
      await board.stop();
    };
    return { board, stop };
  };
}
