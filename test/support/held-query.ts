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
  const { query } = db;
  let release = () => {};
  let held = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  db.query = async (text, values = []) => {
    if (held < most && isIt(text, values)) {
      held += 1;
      await released;
    }
    return await query(text, values);
  };
  return {
    held: () => held,
    release,
    remove: () => {
      db.query = query;
    },
  };
}
