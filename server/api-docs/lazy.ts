/**
 * Made when it is first asked for, and kept: what no start has to wait for and
 * never changes.
 */
export function firstAsked<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
