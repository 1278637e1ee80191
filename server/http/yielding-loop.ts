/** How long one turn may last. */
const TURN_MS = 8;

/**
 * Does the work for each item, in order, for a few milliseconds at a time: what
 * else the process has to do comes in between. `then` follows the last of them.
 */
export function byTurns<T>(
  items: readonly T[],
  work: (item: T) => void,
  then = () => {},
): void {
  const rest = items.values();
  const turn = () => {
    const end = performance.now() + TURN_MS;
    for (let one = rest.next(); !one.done; one = rest.next()) {
      work(one.value);
      if (performance.now() < end) continue;
      setImmediate(turn);
      return;
    }
    then();
  };
  turn();
}
