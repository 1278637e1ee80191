import { expect } from 'chai';
import type { TallyResult } from '../../../server/db/states.js';
import { outcomeOf } from '../../../server/polls/poll-view.js';

/** Accepted ballots by option → result and the place of the winner. */
const TABLE: [number[], TallyResult, number | null][] = [
  [[0, 0], 'insufficient_votes', null],
  [[2, 0], 'insufficient_votes', null],
  [[1, 1], 'insufficient_votes', null],
  [[3, 0], 'selected', 0],
  [[0, 3], 'selected', 1],
  [[2, 1], 'selected', 0],
  [[1, 1, 1], 'tie', null],
  [[2, 2], 'tie', null],
  [[2, 2, 1], 'tie', null],
  [[1, 2, 2, 0], 'tie', null],
  [[2, 2, 3], 'selected', 2],
  [[1, 0, 0, 0, 0, 0, 0, 2], 'selected', 7],
  [[100, 99, 99], 'selected', 0],
];

describe('the outcome of a poll', () => {
  for (const [counts, result, winner] of TABLE) {
    it(`of ${counts.join(', ')} is ${result}`, () => {
      const voters = counts.reduce((sum, count) => sum + count, 0);
      expect(outcomeOf(counts, voters, 3)).to.deep.equal({ result, winner });
    });
  }

  it('follows survey_votes_min', () => {
    expect(outcomeOf([1, 0], 1, 1).result).to.equal('selected');
    expect(outcomeOf([3, 0], 3, 4).result).to.equal('insufficient_votes');
  });
});
