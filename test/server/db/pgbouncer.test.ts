import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConfig } from '../../../server/config.js';
import { openDatabase } from '../../../server/db/connect.js';
import { isRoot, newAccount } from '../../../server/db/embedded/account.js';
import { DatabaseProblem } from '../../../server/db/problem.js';
import { silentLogger } from '../../../server/logger.js';
import { startBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { Daemon } from '../../support/daemon.js';
import { freePort } from '../../support/free-port.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { ownServer } from '../../support/postgres-server.js';
import {
  isInstalled,
  librariesEnv,
  programOf,
} from '../../support/programs.js';
import { runFolder } from '../../support/run-folder.js';
import { until } from '../../support/until.js';
import { atOnce } from '../../support/wire.js';

const PUBLISHED = 40;

// Debian's program is no need of a contributor; `.ci/run` brings it.
if (isInstalled('pgbouncer')) {
  describe('PgBouncer', () => {
    const { server } = given(ownServer);
    let pgbouncer: Daemon | null = null;

    afterEach(async () => {
      await pgbouncer?.end();
      pgbouncer = null;
    });

    /** By the settings that docs/operate.md names, and no others. */
    async function begin(mode: string): Promise<string> {
      const port = await freePort();
      const folder = path.join(runFolder(), `pgbouncer-${mode}`);
      await mkdir(folder);
      const users = path.join(folder, 'users');
      await writeFile(users, '"postgres" ""\n');
      const config = path.join(folder, 'pgbouncer.ini');
      await writeFile(
        config,
        `[databases]
board = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 40
${isRoot() ? `user = ${newAccount().name}` : ''}
`,
      );
      const log = path.join(folder, 'log');
      const file = programOf('pgbouncer');
      const env = librariesEnv();
      const daemon = new Daemon({ file, line: [config], log, env });
      pgbouncer = daemon;
      daemon.start();
      const url = `postgresql://postgres@127.0.0.1:${port}/board`;
      await until('an answer of PgBouncer', async () => {
        daemon.assertRuns();
        const refused = await open(url).then(
          (opened) => opened.close(),
          (error: unknown) => error,
        );
        return !String(refused).includes('nothing answers');
      });
      return url;
    }

    const open = (url: string) =>
      openDatabase(parseConfig({ DATABASE_URL: url }), silentLogger, 10);

    it('serves two nodes in session mode', async () => {
      const options = { databaseUrl: await begin('session'), lifted: true };
      const here = await startBoard(options);
      const there = await startBoard({ ...options, clock: here.clock });
      try {
        const held = here.as().get('/api/updates?since=0&wait=25');
        const { message } = await publish(there);
        const { body } = await held.expect(200);
        const ids = body.data.map(({ id }: { id: number }) => id);
        expect(ids).to.eql([message.id]);
        await atOnce(PUBLISHED, (n) =>
          publish(n % 2 === 0 ? here : there, { reply_to: message.id }),
        );
        const { posts } = await checkLedger(here);
        expect(posts.length).to.equal(PUBLISHED + 1);
      } finally {
        await here.stop();
        await there.stop();
      }
    });

    for (const mode of ['transaction', 'statement']) {
      it(`is refused by name in ${mode} mode, with the setting to change`, async () => {
        const error = await open(await begin(mode)).then(
          (opened) => opened.close(),
          (thrown: unknown) => thrown,
        );
        expect(error).to.be.instanceOf(DatabaseProblem);
        expect((error as Error).message).to.match(
          /^DATABASE_URL leads to a connection pooler in transaction mode.*; name PostgreSQL itself in DATABASE_URL.*\(PgBouncer: pool_mode = session\)/,
        );
      });
    }
  });
}
