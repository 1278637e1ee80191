/** As clients do: a board that is too busy to answer is asked again. */
export async function untilHeard<Answer extends { status: number }>(
  ask: () => PromiseLike<Answer>,
): Promise<Answer> {
  let answer = await ask();
  while (answer.status === 503) answer = await ask();
  return answer;
}
