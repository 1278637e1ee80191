import { ClientRefusal } from './failures.js';

const FORM =
  /^Add (\d{1,6}) and (\d{1,6})\. Append a hyphen and the word ([A-Za-z]{1,40})\.$/;

/**
 * `65-harbor` for "Add 47 and 18. Append a hyphen and the word harbor."
 * (spec/board.md §3).
 * @throws ClientRefusal `unknown_challenge` for other forms: a guess would
 *   count as a wrong answer
 */
export function solveChallenge(challenge: string): string {
  const [, first, second, word] = FORM.exec(challenge) ?? [];
  if (word === undefined) {
    throw new ClientRefusal(
      'unknown_challenge',
      'The board asks a challenge of a form that this client does not know.',
    );
  }
  return `${Number(first) + Number(second)}-${word}`;
}
