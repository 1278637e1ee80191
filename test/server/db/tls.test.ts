import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConfig } from '../../../server/config.js';
import { openDatabase } from '../../../server/db/connect.js';
import { silentLogger } from '../../../server/logger.js';
import { given } from '../../support/hooks.js';
import { ownServer } from '../../support/postgres-server.js';
import { runFolder } from '../../support/run-folder.js';
import { selfSigned } from '../../support/self-signed.js';
import { until } from '../../support/until.js';

describe('a PostgreSQL that is reached by TLS', () => {
  const { server } = given(ownServer);

  const open = (url: string) =>
    openDatabase(parseConfig({ DATABASE_URL: url }), silentLogger, 10);

  /** As `sslmode` and `sslrootcert` of DATABASE_URL say. */
  async function by(authority: string, name: string): Promise<string> {
    const file = path.join(runFolder(), `${name}.crt`);
    await writeFile(file, authority);
    const url = new URL(server.url());
    url.hostname = 'localhost';
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', file);
    return url.href;
  }

  const refusal = (url: string) =>
    open(url).then(
      ({ close }) => close().then(() => 'opened'),
      (error: Error) => error.message,
    );

  it('is refused while it has none', async () => {
    const { certificate: other } = selfSigned('localhost');
    expect(await refusal(await by(other, 'none'))).to.match(
      /^The database cannot be reached: it takes no TLS/,
    );
  });

  it('is known by its certificate, in every session', async () => {
    const own = selfSigned('localhost');
    await server.write('server.key', own.key);
    await server.write('server.crt', own.certificate);
    await server.query('ALTER SYSTEM SET ssl = on');
    await server.query('SELECT pg_reload_conf()');
    const url = await by(own.certificate, 'own');
    await until('TLS', async () => (await refusal(url)) === 'opened');
    const { close, reads, writes } = await open(url);
    try {
      for (const pool of [reads, writes]) {
        const [row] = await pool.query<{ ssl: boolean; idle: string }>(
          `SELECT ssl, current_setting('tcp_keepalives_idle') AS idle
           FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
        );
        // A machine that is gone holds its locks for seconds, not for hours.
        expect(row).to.eql({ ssl: true, idle: '5' });
      }
    } finally {
      await close();
    }
  });

  it('is refused with the certificate of another', async () => {
    const { certificate: other } = selfSigned('localhost');
    expect(await refusal(await by(other, 'other'))).to.match(
      /^The database cannot be reached: its certificate is of another authority/,
    );
    const elsewhere = selfSigned('elsewhere.example');
    await server.write('server.key', elsewhere.key);
    await server.write('server.crt', elsewhere.certificate);
    await server.query('SELECT pg_reload_conf()');
    const url = await by(elsewhere.certificate, 'elsewhere');
    await until('the other certificate', async () =>
      (await refusal(url)).startsWith(
        'The database cannot be reached: its certificate is of another host',
      ),
    );
  });
});
