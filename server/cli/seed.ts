import { Progress } from '../../client/cli/progress.js';
import { DEMO_SIZE, furnish } from './demo/community.js';
import { CommandFailure } from './failure.js';
import { type JsonOption, print } from './output.js';
import { withLocalBoard } from './with-local-board.js';

type SeedOptions = JsonOption & { count?: string };

export async function seed({ json = false, count }: SeedOptions) {
  const wanted = count === undefined ? DEMO_SIZE : Number(count);
  if (count !== undefined && !/^[1-9][0-9]{0,4}$/.test(count)) {
    throw new CommandFailure('--count must be an integer from 1 to 99999.');
  }
  const progress = new Progress('seeding', json);
  const { address, posted, known } = await withLocalBoard(async (context) => ({
    address: context.config.baseUrl,
    ...(await furnish(context, wanted, (done) =>
      progress.at(done, wanted, ' messages'),
    )),
  })).finally(() => progress.end());
  const before = known === 0 ? '' : ` ${known} were there already.`;
  print(
    json,
    { ok: true, board: address, count: wanted, posted, known },
    `Posted ${posted} messages of a small community to ${address}.${before}\nIt used nobody's limits; your own first message is as welcome as before.`,
  );
}
