import { expect } from 'chai';
import {
  type Branch,
  sizeOf,
  threadTree,
} from '../../../server/site/thread-tree.js';

type Message = { id: number; reply_to: number | null };

const replies = (...parents: number[]): Message[] => [
  { id: 1, reply_to: null },
  ...parents.map((reply_to, n) => ({ id: n + 2, reply_to })),
];

/** The tree as text: `*` before what says what it answers. */
function drawn(branches: readonly Branch<Message>[]): string {
  return branches
    .map(({ message, replies: inner, apart }) => {
      const under = inner.length === 0 ? '' : `(${drawn(inner)})`;
      return `${apart ? '*' : ''}${message.id}${under}`;
    })
    .join(' ');
}

describe('The tree of a thread', () => {
  for (const [what, messages, tree] of [
    ['nothing but the opening message', replies(), ''],
    ['replies to the opening message', replies(1, 1, 1), '2 3 4'],
    ['replies to replies, after one another', replies(1, 1, 2, 3), '2(4) 3(5)'],
    ['three levels', replies(1, 2, 3), '2(3(4))'],
    [
      'deeper ones on the last level, which say what they answer',
      replies(1, 2, 3, 4, 5, 4),
      '2(3(4 *5 *6 *7))',
    ],
    [
      'replies to what is on another page',
      [
        { id: 30, reply_to: 7 },
        { id: 31, reply_to: 30 },
        { id: 32, reply_to: 1 },
      ],
      '*30(31) 32',
    ],
  ] as const) {
    it(`shows ${what}`, () => {
      expect(drawn(threadTree(1, messages))).to.equal(tree);
    });
  }

  it('shows each message once, however they answer one another', () => {
    const parents = Array.from(
      { length: 99 },
      (_, n) => 1 + ((n * 37) % (n + 1)),
    );
    expect(sizeOf(threadTree(1, replies(...parents)))).to.be.at.most(99);
    const flat = drawn(threadTree(1, replies(...parents))).match(/\d+/g) ?? [];
    expect(new Set(flat).size).to.equal(99);
    expect(flat).to.have.length(99);
  });

  it('counts the replies of this page to each', () => {
    const [first] = threadTree(1, replies(1, 2, 2, 3));
    expect(first?.answered).to.equal(2);
    expect(sizeOf(first?.replies ?? [])).to.equal(3);
  });
});
