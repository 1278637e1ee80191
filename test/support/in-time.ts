import { AssertionError } from 'chai';
import { HANG_MS } from './full.js';
import { waitFor } from './waiting-for.js';

/**
 * Waits for what tells by itself when it is over, such as the end of a process.
 * Where it hangs it fails with what was waited for, long before Mocha would.
 *
 * @param giveUp ends what hangs, and returns what else helps to find out why.
 */
export async function inTime<T>(
  what: string,
  work: Promise<T>,
  giveUp: () => string = () => '',
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), HANG_MS);
  });
  const over = await waitFor(what, () =>
    Promise.race([work.then((value) => ({ value })), late]),
  ).finally(() => clearTimeout(timer));
  if (over !== null) return over.value;
  throw new AssertionError(
    `${what} did not come within ${HANG_MS} ms. ${giveUp()}`.trim(),
  );
}
