import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../../../server/db/embedded/reach.js';
import type { Source } from '../../source.js';
import type { Row } from '../row.js';
import { run } from '../run.js';
import { DRIFT } from '../set-up/pace.js';
import type { Progress } from '../set-up/progress.js';
import type { Found } from './compare.js';

/** Messages of the data set, which every measurement makes for itself. */
const SIZE = 1000;

export type DriftOptions = {
  source: Source;
  progress: Progress;
  signal: AbortSignal;
};

/**
 * Measures rows at small sizes, in a folder that is removed after. A figure is
 * the ratio to its reference where it has one.
 */
export async function measureDrift(
  rows: readonly Row[],
  { source, progress, signal }: DriftOptions,
): Promise<Found> {
  const name = path.join(temporaryFolder(), 'reserve-drift-');
  const folder = await mkdtemp(name);
  const how = { size: SIZE, short: false };
  const options = { ...how, folder, pace: DRIFT, progress, signal };
  const date = new Date().toISOString();
  try {
    const begun = { ...source, ...how, date, full: false };
    const results = await run(rows, options, begun);
    signal.throwIfAborted();
    return new Map(
      results.rows.flatMap(({ id, figures }) =>
        figures.map(({ what, value, ratio }): [string, number] => [
          `${id} ${what}`,
          ratio ?? value,
        ]),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
