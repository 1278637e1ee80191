import { expect } from 'chai';
import { parseConfig } from '../../../server/config.js';
import { openDatabase } from '../../../server/db/connect.js';
import { DatabaseProblem } from '../../../server/db/problem.js';
import { silentLogger } from '../../../server/logger.js';
import { startBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { createDatabase } from '../../support/cluster.js';
import { type Pooler, startPooler } from '../../support/pooler.js';
import { publish } from '../../support/post.js';

const PATIENCE = 10;

describe('a connection pooler that refuses settings at the start', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let pooler: Pooler | null = null;

  beforeEach(async () => {
    database = await createDatabase();
  });

  afterEach(async () => {
    await pooler?.stop();
    await database.drop();
  });

  async function begin(mode: 'session' | 'transaction'): Promise<string> {
    pooler = await startPooler(database.url, mode);
    return pooler.url;
  }

  const open = (url: string) =>
    openDatabase(parseConfig({ DATABASE_URL: url }), silentLogger, PATIENCE);

  it('serves two nodes in session mode', async () => {
    const databaseUrl = await begin('session');
    const here = await startBoard({ databaseUrl });
    const there = await startBoard({ databaseUrl });
    try {
      const held = here.as().get('/api/updates?since=0&wait=25');
      const { message } = await publish(there);
      const { body } = await held.expect(200);
      expect(body.data.map(({ id }: { id: number }) => id)).to.eql([
        message.id,
      ]);
      await checkLedger(there);
    } finally {
      await here.stop();
      await there.stop();
    }
  });

  it('is refused in transaction mode, with the setting to change', async () => {
    const error = await open(await begin('transaction')).then(
      (opened) => opened.close(),
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(DatabaseProblem);
    const { message } = error as Error;
    expect(message).to.match(
      /^DATABASE_URL leads to a connection pooler in transaction mode/,
    );
    expect(message).to.match(/name PostgreSQL itself in DATABASE_URL/);
  });

  it('is refused in no start without one', async () => {
    const { close } = await open(database.url);
    await close();
  });
});
