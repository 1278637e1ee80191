import { expect } from 'chai';
import { DearTurns } from '../../../server/http/rate-limits/dear-turns.js';

describe('the turns of a network whose reads are dear', () => {
  let turns: DearTurns;
  let begun: number[];
  const enter = (n: number, name = 'a') =>
    turns.enter(name, () => begun.push(n));

  beforeEach(() => {
    turns = new DearTurns();
    begun = [];
  });

  it('are no turns before an answer was dear', () => {
    for (const n of [1, 2, 3, 4]) enter(n);
    expect(begun).to.eql([1, 2, 3, 4]);
  });

  it('let two begin, and the others in their order', () => {
    turns.note('a');
    const leaves = [1, 2, 3, 4, 5].map((n) => enter(n));
    expect(begun).to.eql([1, 2]);
    leaves[1]?.();
    leaves[1]?.(); // twice is once
    expect(begun).to.eql([1, 2, 3]);
    leaves[3]?.(); // goes away before its turn
    leaves[0]?.();
    expect(begun).to.eql([1, 2, 3, 5]);
  });

  it('are those of each network alone', () => {
    turns.note('a');
    for (const n of [1, 2, 3]) enter(n);
    for (const n of [4, 5, 6]) enter(n, 'b');
    expect(begun).to.eql([1, 2, 4, 5, 6]);
  });

  it('end when the last is over and nothing was dear for a second', () => {
    const { now } = performance;
    try {
      performance.now = () => 1000;
      turns.note('a');
      const [leave] = [enter(1), enter(2), enter(3)];
      performance.now = () => 2500;
      enter(4);
      expect(begun).to.eql([1, 2]);
      leave?.();
      expect(begun).to.eql([1, 2, 3]);
      turns = new DearTurns();
      turns.note('a');
      performance.now = () => 4000;
      for (const n of [5, 6, 7]) enter(n);
      expect(begun).to.eql([1, 2, 3, 5, 6, 7]);
    } finally {
      performance.now = now;
    }
  });
});
