/**
 * Asks as a client does: a board that is too busy to answer is asked again,
 * the same way. For many requests at once, which a slow machine cannot take in
 * the seconds that a board gives itself.
 */
export async function untilHeard<Answer extends { status: number }>(
  ask: () => PromiseLike<Answer>,
): Promise<Answer> {
  let answer = await ask();
  while (answer.status === 503) answer = await ask();
  return answer;
}
