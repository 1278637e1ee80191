import type { TestBoard } from '../../support/board.js';
import { submit } from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import { removeRow } from '../../support/remove.js';

export type Fault<Scene> = {
  name: string;
  error: string;
  apply(test: TestBoard, scene: Scene): void | Promise<void>;
};

type Publishing = { publisher: string; send: Record<string, unknown> };

/** What `apply` spoils, and the refusal that this alone gets. */
export const fault = <Scene>(
  name: string,
  error: string,
  apply: Fault<Scene>['apply'],
): Fault<Scene> => ({ name, error, apply });

export const OTHER_NETWORK = fault<{ publisher: string }>(
  'the network of a vote',
  'network_changed',
  (_, scene) => {
    scene.publisher = freshNetwork();
  },
);

export const REMOVED_TARGET = fault<{ target: number }>(
  'the target',
  'invalid_input reply_to',
  (test, { target }) => removeRow(test, target),
);

/** Each fault alone, every pair, all after one; `setup` is made first. */
export function itKeepsTheOrder<Scene extends Publishing>(
  test: TestBoard,
  order: readonly Fault<Scene>[],
  setup: readonly string[],
  begin: () => Promise<Scene>,
): void {
  const place = ({ name }: Fault<Scene>) =>
    setup.includes(name) ? setup.indexOf(name) : setup.length;

  async function publishWith(faults: readonly Fault<Scene>[]) {
    const scene = await begin();
    const inOrder = [...faults].sort((a, b) => place(a) - place(b));
    for (const fault of inOrder) await fault.apply(test, scene);
    const { body } = await submit(test, scene.send, scene.publisher);
    const { error = body.status, field, scope } = body;
    return [error, scope ?? field].filter(Boolean).join(' ');
  }

  it('publishes when nothing is wrong', async () => {
    expect(await publishWith([])).to.equal('published');
  });

  for (const [at, first] of order.entries()) {
    it(`refuses ${first.name} alone as ${first.error}`, async () => {
      expect(await publishWith([first])).to.equal(first.error);
    });
    for (const second of order.slice(at + 1)) {
      it(`looks at ${first.name} before ${second.name}`, async () => {
        expect(await publishWith([first, second])).to.equal(first.error);
      });
    }
  }

  it('answers everything wrong at once by the first', async () => {
    for (let from = 0; from < order.length; from += 1) {
      const faults = order.slice(from);
      expect(await publishWith(faults)).to.equal(faults[0]?.error);
    }
  });
}
