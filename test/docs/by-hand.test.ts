import { execFile } from 'node:child_process';
import { chown, copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRoot, newAccount } from '../../server/db/embedded/account.js';
import { NodeProcess } from '../faults/node-process.js';
import { blocksOf } from '../mesh/recover/runbook.js';
import { boardProgram } from '../support/compiled.js';
import { freePort } from '../support/free-port.js';
import { publish } from '../support/post.js';
import { findPrograms, isInstalled } from '../support/programs.js';
import { newFolder } from '../support/run-folder.js';
import { until } from '../support/until.js';

const PASSWORD = 'of-all-roles';
const READS = '/api/updates?since=0';

/** Debian's servers are no need of a contributor. */
if (isInstalled('pg_ctlcluster')) {
  describe('docs/operate.md, as printed, on two servers of Debian', () => {
    const { uid, gid } = isRoot() ? newAccount() : { uid: -1, gid: -1 };
    const as = uid === -1 ? {} : { uid, gid };
    const version = findPrograms([]).postgres.split('/').at(-2) ?? '';
    const nodes: NodeProcess[] = [];
    const ports = { db1: 0, db2: 0, first: 0, second: 0, metrics: 0 };
    let folder: string;

    before(async () => {
      folder = await newFolder();
      for (const name of ['.', 'deploy', 'bin', 'etc']) {
        await mkdir(path.join(folder, name), { recursive: true });
        await chown(path.join(folder, name), uid, gid);
      }
      await copyFile('deploy/roles.sql', path.join(folder, 'deploy/roles.sql'));
      await boardProgram(path.join(folder, 'bin'));
      for (const name of Object.keys(ports) as (keyof typeof ports)[]) {
        ports[name] = await freePort();
      }
      for (const name of ['db1', 'db2'] as const) {
        const at = `-d ${folder}/${name} -s ${folder}/etc -l ${folder}/etc/${name}.log`;
        await run(
          `pg_createcluster ${at} -p ${ports[name]} ${version} ${name}`,
        );
      }
      await run(`pg_ctlcluster ${version} db1 start`);
    });

    after(async () => {
      for (const node of nodes) if (node.alive) await node.end('SIGKILL');
      await run(`pg_ctlcluster ${version} db2 stop -m immediate`);
    });

    const here = (text: string) =>
      text
        .replaceAll('…', PASSWORD)
        .replace('@host/', `@127.0.0.1:${ports.db1}/`)
        .replace(/10\.0\.0\.1[12]/, '127.0.0.1')
        .replace('/var/lib/postgresql/18/main', `${folder}/db2`)
        .replace('18 main', `${version} db2`)
        .replaceAll('/var/lib/board-2', `${folder}/second`);

    /** At the server `on`; without a terminal a password is read from the input. */
    async function run(line: string, on: 'db1' | 'db2' = 'db1') {
      const env = {
        PATH: `${folder}/bin:${process.env.PATH}`,
        HOME: folder,
        TEST_RUN_FOLDER: process.env.TEST_RUN_FOLDER, // ends with the run
        PG_CLUSTER_CONF_ROOT: `${folder}/etc`,
        PGHOST: `${folder}/etc`,
        PGPORT: `${ports[on]}`,
        PGDATABASE: 'postgres',
        DATA_DIR: `${folder}/first`,
      };
      // What the board has belongs to the account that runs it.
      const isOfServer = !/reserve-board|board-2/.test(line);
      const options = { cwd: folder, env, ...(isOfServer ? as : {}) };
      const typed = `yes ${PASSWORD} | (${here(line)})`;
      await promisify(execFile)('setsid', ['-w', 'sh', '-c', typed], options);
    }

    /** What the line of a start sets, for a node that this test can end. */
    async function start(name: 'first' | 'second', line: string, more = {}) {
      const set = [...here(line).matchAll(/([A-Z_]+)=(\S+)/g)];
      const printed = Object.fromEntries(set.map(([, key, to]) => [key, to]));
      const dataDir = path.join(folder, name);
      const port = ports[name];
      const env = { ...printed, ...more, PORT: `${port}`, DATA_DIR: dataDir };
      const node = await NodeProcess.create({ dataDir, port, env });
      nodes.push(node);
      await node.ready();
      return node;
    }

    it('makes two roles, a replica and a second process, and goes on with the replica', async () => {
      const text = await readFile('docs/operate.md', 'utf8');
      const of = (id: string) =>
        blocksOf(text.split(`id="${id}"`)[1]?.split('\n### ')[0] ?? '');
      const [roles, replicate] = [of('roles'), of('replicas')];
      const begin = roles.pop() ?? '';
      const promote = replicate.pop() ?? '';
      for (const line of roles) await run(line);
      const [hba] = /host replication replica [^`]+/.exec(text) ?? [''];
      await run(`echo '${hba}' >> etc/${version}/db1/pg_hba.conf`);
      await run('find db2 -mindepth 1 -delete');
      for (const line of replicate) await run(line);
      const database = /postgresql:\S+/.exec(here(begin))?.[0] ?? '';
      const replica = database.replace(`${ports.db1}`, `${ports.db2}`);
      const replicas = { DATABASE_REPLICA_URLS: replica };
      const METRICS_PORT = `${ports.metrics}`;
      const first = await start('first', begin, { ...replicas, METRICS_PORT });
      const { message } = await publish(first, { body: 'On the primary.' });
      await until('reads by the replica', async () => {
        await fetch(`${first.url}${READS}`);
        const answer = await fetch(`http://127.0.0.1:${METRICS_PORT}/readyz`);
        return (await answer.text()).includes('"serving"');
      });
      const second = of('growing');
      const join = second.pop() ?? '';
      for (const line of second) await run(line);
      const beside = await start('second', join, { DATABASE_URL: database });
      await publish(beside, { body: 'By the second process.' });
      await run(`pg_ctlcluster ${version} db1 stop -m immediate`);
      await first.as().get(READS).expect(200);
      await run(promote, 'db2');
      for (const node of nodes) await node.end('SIGTERM');
      const promoted = { DATABASE_URL: replica };
      const next = await start('first', begin, promoted);
      const other = await start('second', join, promoted);
      const last = await publish(next, { body: 'On the promoted one.' });
      expect(last.message.id).to.equal(message.id + 2);
      const { body } = await other.as().get(READS).expect(200);
      expect(body.data).to.have.length(3);
    });
  });
}
