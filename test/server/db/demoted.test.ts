import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { LIFTED } from '../../support/lifted.js';
import { preview, publish } from '../../support/post.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { startTcpGate, type TcpGate } from '../../support/tcp-gate.js';
import { until } from '../../support/until.js';

describe('a board that is led to a standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let gate: TcpGate;
  let test: TestBoard;

  before(async () => {
    primary = await PostgresServer.create();
    standby = await primary.standby();
    gate = await startTcpGate(primary.url());
    test = await startBoard({ databaseUrl: gate.url, limits: LIFTED });
  });

  after(async () => {
    await test.stop();
    await gate.stop();
    await standby.remove();
    await primary.remove();
  });

  /** Connections of before may just end. */
  async function refuses(): Promise<void> {
    await until('a preview that a standby refused', async () => {
      const { status, body, headers } = await preview(test, {});
      expect([status, body.error]).to.eql([503, 'unavailable']);
      expect(headers['retry-after']).to.match(/^\d+$/);
      const [row] = await standby.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'reserve-board'",
      );
      return (row?.n ?? 0) > 0;
    });
    const { status, body } = await preview(test, {});
    expect([status, body.error]).to.eql([503, 'unavailable']);
  }

  it('says that it is unavailable, reads on, and keeps no such connection', async () => {
    const { message } = await publish(test);
    await standby.caughtUpWith(primary);
    gate.leadTo(standby.url());
    await refuses();
    await until('a read', async () => {
      const { status } = await test.as().get(`/api/messages/${message.id}`);
      return status === 200;
    });
    await standby.promote();
    await until('a publication', async () => {
      const published = await publish(test).catch(() => null);
      return published !== null;
    });
    await checkLedger(test);
  });
});
