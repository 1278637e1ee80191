import { expect } from 'chai';
import { database } from '../../../server/db/connection.sql.js';
import { createDataSource } from '../../../server/db/data-source.js';
import { createDatabase } from '../../support/cluster.js';
import { until } from '../../support/until.js';

const PID = 'SELECT pg_backend_pid() AS pid';

describe('a connection of a pool', () => {
  it('is replaced after its time, though it is never idle for long', async () => {
    const { url, drop } = await createDatabase();
    const source = createDataSource(
      { url },
      {
        max: 1,
        lifeSeconds: 0.05,
        onPoolError: (error) => {
          throw error;
        },
      },
    );
    try {
      const db = database(await source.initialize());
      const pid = async () => (await db.query<{ pid: number }>(PID))[0]?.pid;
      const first = await pid();
      expect(first).to.be.above(0);
      // Idleness alone would end it after ten seconds without a statement.
      await until('another connection', async () => (await pid()) !== first);
    } finally {
      await source.destroy();
      await drop();
    }
  });
});
