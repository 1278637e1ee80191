import { startBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { freePort } from '../../support/free-port.js';
import { given } from '../../support/hooks.js';
import { openingOf } from '../../support/opening.js';
import { preview, publish } from '../../support/post.js';
import { ownServer } from '../../support/postgres-server.js';
import { replicated } from '../../support/replicated.js';
import { until } from '../../support/until.js';

/** Answers for the server's version; all else is PostgreSQL's own. */
const OLDER = `
  CREATE SCHEMA older;
  CREATE FUNCTION older.current_setting(name text) RETURNS text
    LANGUAGE sql AS $$
      SELECT CASE name WHEN 'server_version_num' THEN '140012'
        WHEN 'server_version' THEN '14.12'
        ELSE pg_catalog.current_setting(name) END $$;
  ALTER DATABASE older SET search_path = older, pg_catalog, public`;

describe('a start on a server that cannot carry a board', () => {
  const { server } = given(ownServer);

  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    it(`is refused where ${setting} is off, and taken when it is on`, async () => {
      await server.query(`ALTER SYSTEM SET ${setting} = off`);
      await reloaded(setting, 'off');
      expect(await openingOf(server.url())).to.match(
        new RegExp(`^The database has ${setting} off, so a published message`),
      );
      await server.query(`ALTER SYSTEM RESET ${setting}`);
      await reloaded(setting, 'on');
      expect(await openingOf(server.url())).to.equal('opened');
    });
  }

  async function reloaded(setting: string, value: string): Promise<void> {
    await server.query('SELECT pg_reload_conf()');
    await until(`${setting} = ${value}`, async () => {
      const [row] = await server.query<Record<string, string>>(
        `SHOW ${setting}`,
      );
      return row?.[setting] === value;
    });
  }

  it('is refused by name where it is older than 15', async () => {
    await server.query("CREATE DATABASE older ENCODING 'UTF8'");
    await server.query(OLDER, 'older');
    expect(await openingOf(server.url('older'))).to.equal(
      'The database is PostgreSQL 14.12; this board needs 15 or newer.',
    );
  });

  it('is refused by name where its encoding is another', async () => {
    await server.query(
      "CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0",
    );
    expect(await openingOf(server.url('ascii'))).to.match(
      /^The database is encoded in SQL_ASCII; create it with ENCODING 'UTF8'/,
    );
  });

  it('is refused where nothing answers, or there is no such database or role', async () => {
    const nobody = `postgresql://postgres@127.0.0.1:${await freePort()}/board`;
    expect(await openingOf(nobody)).to.match(
      /^The database cannot be reached: nothing answers at that address/,
    );
    expect(await openingOf(server.url('nowhere'))).to.match(
      /^The database cannot be reached: that database does not exist/,
    );
    expect(await openingOf(server.url('board', 'nobody'))).to.match(
      /^The database cannot be reached: the user is refused/,
    );
  });

  it('lacks half of its migrations: the start makes the rest', async () => {
    await server.query("CREATE DATABASE half ENCODING 'UTF8'");
    const url = server.url('half');
    expect(await openingOf(url)).to.equal('opened');
    const last = 'DELETE FROM migrations WHERE name LIKE $$RunnerRole%$$';
    await server.query(last, 'half');
    await server.query('DROP FUNCTION mirror_analyze', 'half');
    expect(await openingOf(url)).to.equal('opened');
    await server.query("SELECT 'mirror_analyze'::regproc", 'half');
  });

  it('was migrated by a newer release: refused, with the release', async () => {
    const newer = "INSERT INTO migrations VALUES (99, 9, 'Later9999999999999')";
    await server.query(newer, 'half');
    expect(await openingOf(server.url('half'))).to.match(
      /^The database was changed by a newer release \(Later9999999999999\)/,
    );
  });
});

describe('a board that is led to a standby', () => {
  const { primary, standby, gate, test } = given(async () => {
    const servers = await replicated();
    const databaseUrl = servers.gate.url;
    const test = await startBoard({ databaseUrl, lifted: true });
    const stop = () => test.stop().then(servers.stop);
    return { ...servers, test, stop };
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
