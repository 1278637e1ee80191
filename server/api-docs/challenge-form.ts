/** The two sentences of a challenge (spec/board.md §3). */
export const CHALLENGE_SENTENCES =
  'Add <a> and <b>. Append a hyphen and the word <word>.';

export const CHALLENGE_GRAMMAR = `${CHALLENGE_SENTENCES} (a, b: numbers of 1 to 6 digits; word: 1 to 40 ASCII letters; answer: <a + b>-<word>, the word in any case)`;

export const CHALLENGE_EXAMPLE = {
  challenge: 'Add 47 and 18. Append a hyphen and the word harbor.',
  answer: '65-harbor',
};
