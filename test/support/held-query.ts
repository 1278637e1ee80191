export type Query = (text: string, values?: unknown[]) => Promise<unknown[]>;

export type HeldQuery = {
  held(): number;
  release(): void;
  /** Takes the wrapper off again: of several the last one first. */
  remove(): void;
};

/** Holds back the first `most` matching queries until they are released. */
export function holdQuery(
  db: { query: Query },
  isIt: (text: string, values: unknown[]) => boolean,
  most = 1,
): HeldQuery {
  return holdCalls(
    db,
    'query',
    (text, values = []) => isIt(text, values),
    most,
  );
}

/** The same of any function of an object, such as `find` of a manager. */
export function holdCalls<K extends string, A extends unknown[], R>(
  holder: { [name in K]: (...args: A) => Promise<R> },
  name: K,
  isIt: (...args: A) => boolean,
  most = 1,
): HeldQuery {
  const call = holder[name];
  let release = () => {};
  let held = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = async (...args: A): Promise<R> => {
    if (held < most && isIt(...args)) {
      held += 1;
      await released;
    }
    return await call.apply(holder, args);
  };
  Object.assign(holder, { [name]: holding });
  return {
    held: () => held,
    release,
    remove: () => {
      Object.assign(holder, { [name]: call });
    },
  };
}
