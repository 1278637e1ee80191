import { CommandFailure } from '../../../server/cli/failure.js';
import { withOwnDatabase } from '../../../server/cli/tool-database.js';
import { parseConfig } from '../../../server/config.js';
import { createDatabase } from '../../support/cluster.js';

describe('withOwnDatabase', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;

  before(async () => {
    database = await createDatabase();
  });

  after(async () => {
    await database.drop();
  });

  async function failing(error: Error): Promise<unknown> {
    const config = parseConfig({ DATABASE_URL: database.url });
    const work = () => Promise.reject(error);
    return await withOwnDatabase(config, work).catch((thrown) => thrown);
  }

  it('leaves a refusal its words where they speak of a timeout', async () => {
    const refusal = new CommandFailure('A board could not be asked: timeout.');
    expect(await failing(refusal)).to.equal(refusal);
  });

  it('says of a database that stops to answer what to check', async () => {
    const thrown = await failing(new Error('Connection terminated'));
    expect(thrown).to.be.instanceOf(Error);
    expect((thrown as Error).message).to.include('DATABASE_URL');
  });
});
