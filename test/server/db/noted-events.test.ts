import { expect } from 'chai';
import type { DataSource } from 'typeorm';
import { database } from '../../../server/db/connection.sql.js';
import { createDataSource } from '../../../server/db/data-source.js';
import type { Database } from '../../../server/db/sql.js';
import { clearAlert, raiseAlert } from '../../../server/operations/alerts.js';
import { recordRun } from '../../../server/operations/record-run.js';
import { recordPollEvent } from '../../../server/polls/poll-events.sql.js';
import { createDatabase } from '../../support/cluster.js';

const ALERT = {
  kind: 'clock_behind',
  subject: 'board',
  detail: 'Slow.',
} as const;

describe('what is noted for dashboards', () => {
  let source: DataSource;
  let db: Database;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    const created = await createDatabase();
    drop = created.drop;
    const options = { max: 2, onPoolError: () => {} };
    const { url } = created;
    source = await createDataSource({ url }, options).initialize();
    db = database(source);
  });

  afterEach(async () => {
    await source.destroy();
    await drop();
  });

  async function noted(): Promise<object[]> {
    const rows = await db.query<{ kind: string; payload: object }>(
      'DELETE FROM admin_pending RETURNING kind, payload',
    );
    return rows.map(({ kind, payload }) => ({ kind, ...payload }));
  }

  it('is an alert that opens, changes or ends, not one that lasts', async () => {
    const event = { kind: 'alert', name: ALERT.kind, subject: 'board' };
    await raiseAlert(db, ALERT, 10);
    expect(await noted()).to.deep.equal([
      { ...event, detail: 'Slow.', open: true },
    ]);
    await raiseAlert(db, ALERT, 11);
    expect(await noted()).to.deep.equal([]);
    await raiseAlert(db, { ...ALERT, detail: 'Slower.' }, 12);
    expect(await noted()).to.deep.equal([
      { ...event, detail: 'Slower.', open: true },
    ]);
    await clearAlert(db, ALERT, 13, 11);
    expect(await noted(), 'raised since').to.deep.equal([]);
    await clearAlert(db, ALERT, 13);
    await clearAlert(db, ALERT, 14);
    expect(await noted()).to.deep.equal([
      { ...event, detail: 'Slower.', open: false },
    ]);
    await raiseAlert(db, { ...ALERT, detail: 'Slower.' }, 15);
    expect(await noted()).to.have.length(1);
    const [row] = await db.query('SELECT * FROM alarm');
    expect(row).to.include({ raised_at: 15, last_at: 15, times: 4 });
  });

  it('is every event of a poll, with its number', async () => {
    const data = { from: 1, to: 2 };
    await db.transaction((tx) =>
      recordPollEvent(tx, 7, 'lifetime_extended', data, 5),
    );
    expect(await noted()).to.deep.equal([
      { kind: 'poll', poll_id: 7, event_id: 1, event: 'lifetime_extended' },
    ]);
  });

  it('is the run of a job, and nothing that is rolled back', async () => {
    const run = { name: 'watch', startedAt: 1, durationMs: 2, rows: 3 };
    const rest = { detail: {}, error: null, failures: 0, instance: 'one' };
    await recordRun(db, { ...run, ...rest });
    expect(await noted()).to.deep.equal([
      {
        ...{ kind: 'job', name: 'watch', started_at: 1, duration_ms: 2 },
        ...{ rows: 3, error: null },
      },
    ]);
    const failed = db.transaction(async (tx) => {
      await recordPollEvent(tx, 7, 'voided', { counts: [1, 1] }, 5);
      throw new Error('not today');
    });
    await failed.catch(() => {});
    expect(await noted()).to.deep.equal([]);
  });
});
