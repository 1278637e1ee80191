export type Query = (text: string, values?: unknown[]) => Promise<unknown[]>;

export type HeldQuery = {
  isHeld(): boolean;
  /** Lets it go on. */
  release(): void;
  /** Takes the wrapper off again: of several the last one first. */
  remove(): void;
};

/** Holds the first query that is such a one back, until it is released. */
export function holdQuery(
  db: { query: Query },
  isIt: (text: string, values: unknown[]) => boolean,
): HeldQuery {
  const { query } = db;
  let release = () => {};
  let held = false;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  db.query = async (text, values = []) => {
    if (!held && isIt(text, values)) {
      held = true;
      await released;
    }
    return await query(text, values);
  };
  return {
    isHeld: () => held,
    release,
    remove: () => {
      db.query = query;
    },
  };
}
