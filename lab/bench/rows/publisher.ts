import type { LoadFigures } from '../load/figures.js';
import type { PublishLoad } from '../load/publish.js';
import type { DataSet } from '../set-up/data-set.js';
import type { Lab, RunningBoard } from '../set-up/lab.js';

const WARM_CLIENTS = 32;
const TEXTS_OF_A_SLICE = 100_000;

export type Publish = (clients: number) => Promise<LoadFigures>;

/** Full publishes to a board for a slice, each time of other texts. */
export function publisher(
  lab: Lab,
  set: DataSet,
  { port }: Pick<RunningBoard, 'port'>,
  oneStep?: string,
  reads?: PublishLoad['reads'],
): Publish {
  const { seconds } = lab.slice;
  const { seed } = set;
  let from = set.size;
  return (clients) => {
    from += TEXTS_OF_A_SLICE;
    return lab.load({
      kind: 'publish',
      ports: [port],
      clients,
      seconds,
      seed,
      from,
      ...(oneStep === undefined ? {} : { oneStep }),
      ...(reads === undefined ? {} : { reads }),
    });
  };
}

/** Plans are made and code is compiled, as on a board that runs for days. */
export async function warm(lab: Lab, publish: Publish): Promise<void> {
  const { warmSlices } = lab.options.pace;
  for (let n = 0; n < warmSlices; n += 1) await publish(WARM_CLIENTS);
}
