import pg from 'pg';

/**
 * What befalls one query of the process:
 * - `refused`: it fails and the database never hears of it;
 * - `lost`: it is done, but its answer is an error;
 * - `killed`: its connection's backend is terminated before it is sent.
 */
export type Fault = 'refused' | 'lost' | 'killed';
export const FAULTS: readonly Fault[] = ['refused', 'lost', 'killed'];

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

const prototype = pg.Client.prototype as unknown as { query: Query };

function planted(): Error {
  return Object.assign(new Error('planted'), { code: '57014' });
}

export type Plant = {
  /** How many queries were begun since; the n-th is the one that fails. */
  begun(): number;
  remove(): void;
};

/**
 * Lets the n-th query from now on fail, on whatever connection it comes.
 * `kill` terminates a backend from outside.
 */
export function plantFault(
  n: number,
  fault: Fault,
  kill: (pid: number) => Promise<unknown>,
): Plant {
  const original = prototype.query;
  let begun = 0;

  async function fail(client: pg.Client, args: unknown[]): Promise<unknown> {
    if (fault === 'refused') throw planted();
    if (fault === 'killed') {
      await kill((client as unknown as { processID: number }).processID);
      return await original.apply(client, args);
    }
    await original.apply(client, args);
    throw planted();
  }

  prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    begun += 1;
    if (begun !== n) return original.apply(this, args);
    const last = args.at(-1);
    if (typeof last !== 'function') return fail(this, args);
    const callback = last as Callback; // as the pool's own `query` calls
    return fail(this, args.slice(0, -1)).then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
  };
  return {
    begun: () => begun,
    remove: () => {
      prototype.query = original;
    },
  };
}
