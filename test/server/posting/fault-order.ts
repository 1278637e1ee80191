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

export const OTHER_NETWORK: Fault<{ publisher: string }> = {
  name: 'the network of a vote',
  error: 'network_changed',
  apply: (_, scene) => {
    scene.publisher = freshNetwork();
  },
};

export const REMOVED_TARGET: Fault<{ target: number }> = {
  name: 'the target',
  error: 'invalid_input reply_to',
  apply: async (test, scene) => {
    await removeRow(test, scene.target);
  },
};

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
