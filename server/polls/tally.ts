export type PollResult = 'selected' | 'tie' | 'insufficient_votes';

/** How a poll ends; `winner` is the place of the option, from 0. */
export type Outcome = { result: PollResult; winner: number | null };

/**
 * Too few ballots in all, no unique top option, or one that is selected
 * (spec/board.md §6.3).
 */
export function outcomeOf(
  counts: readonly number[],
  voters: number,
  votesMin: number,
): Outcome {
  if (voters < votesMin) return { result: 'insufficient_votes', winner: null };
  const top = Math.max(...counts);
  const first = counts.indexOf(top);
  return first === counts.lastIndexOf(top)
    ? { result: 'selected', winner: first }
    : { result: 'tie', winner: null };
}
