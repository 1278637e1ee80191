// One file though it is long: each way in which one command starts, ends or
// fails, in processes of their own that share these few helpers.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { headFile } from '../../../server/ledger/head-file.js';
import { compiledMain } from '../../support/compiled.js';
import { freePort } from '../../support/free-port.js';
import { within } from '../../support/full.js';
import { serving } from '../../support/serving.js';
import { until } from '../../support/until.js';
import {
  command,
  type Environment,
  ended,
  launched,
  refusal,
  running,
} from './command.js';
import { givenHome, HEAD, type Home } from './home.js';

const shell = promisify(execFile);
const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const databaseRuns = ({ dataDir }: Home) => {
  expect(existsSync(path.join(dataDir, 'pg18'))).to.equal(true);
  return existsSync(path.join(dataDir, 'pg18', 'postmaster.pid'));
};

/** Long, as every setting and state that a start can meet is tried here. */
describe('reserve-board start', () => {
  const at = givenHome({ LOG_LEVEL: 'silent' }, { database: true });

  it('says where it is before it answers that it is ready', async () => {
    const port = await freePort();
    const said = path.join(at.folder, 'said');
    const line = `exec "${process.execPath}" "${await compiledMain()}" start > "${said}"`;
    const { PATH = '' } = process.env;
    const env = { PATH, ...at.env, PORT: String(port) };
    const child = spawn('sh', ['-c', line], { cwd: at.folder, env });
    const over = once(child, 'close');
    await until('it is ready', () => isReady(port));
    expect(await readFile(said, 'utf8')).to.include('"listening"');
    child.kill();
    await over;
  });

  it('needs nothing but a folder, and says where everything is', async () => {
    const board = await running(['start'], at.bare, /"listening"/);
    expect(board.lines, 'one line, and nothing else').to.have.length(1);
    const facts = JSON.parse(board.lines[0] ?? '');
    expect(facts.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(facts).to.include({ data_dir: at.dataDir, database: 'embedded' });
    expect(facts.read_on).to.equal(`${facts.url}/connect`);
    const { mode } = await stat(path.join(at.dataDir, 'board.seed'));
    expect(mode & 0o777).to.equal(0o600);
    const { stdout } = await shell('sh', ['-euc', facts.first_post], {
      cwd: at.folder,
    });
    expect(stdout).to.include('/t/1');
    // Commands of a shell without the node's PORT find it by its data.
    const shellOnly = { DATA_DIR: at.dataDir };
    const [list, invited] = await Promise.all([
      command(['read'], shellOnly),
      command(['operator', 'invite', 'anna', '--role', 'viewer'], shellOnly),
    ]);
    expect(list.stdout, list.stderr).to.include('A first message');
    const { port } = new URL(facts.url);
    expect(invited.stdout).to.include(`http://localhost:${port}/admin/setup#`);
    // Supervisors signal a process and its group: two at once are one wish.
    process.kill(board.pid, 'SIGTERM');
    const { code, stderr } = await board.stop();
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    expect(databaseRuns(at)).to.equal(false);
    const checked = await command(['doctor', '--json'], at.bare);
    expect(JSON.parse(checked.stdout).ok, checked.stdout).to.equal(true);
  });

  for (const [index, lost] of [
    ...['> /dev/full', '2> /dev/full', '> /dev/full 2>&1', '>&- 2>&-'],
    ...['> >(head -1 >&-)', '> >(head -1 >&-) 2>&1', '<&- 2> >(true)'],
  ].entries()) {
    it(`serves on as start ${lost}`, async () => {
      const port = await freePort();
      const line = `exec "${process.execPath}" "${await compiledMain()}" start ${lost}`;
      const { PATH = '' } = process.env;
      // Half of them lose what is said before they listen.
      const LOG_LEVEL = index % 2 === 0 ? 'info' : 'silent';
      const env = { PATH, ...at.bare, PORT: String(port), LOG_LEVEL };
      const child = spawn('bash', ['--norc', '-c', line], {
        ...{ cwd: at.folder, env, stdio: 'ignore' },
      });
      const over = once(child, 'exit');
      await until('the board is ready', () => isReady(port));
      child.kill('SIGTERM');
      expect((await over)[0]).to.equal(0);
      expect(databaseRuns(at)).to.equal(false);
    });
  }

  it('leaves no PostgreSQL when something unexpected ends it', async () => {
    const lock = path.join(at.dataDir, 'pg18', 'postmaster.pid');
    const thrower = path.join(at.folder, 'thrower.mjs');
    for (const what of ['throw new Error("W")', 'Promise.reject("W")']) {
      await writeFile(
        thrower,
        `import { existsSync } from 'node:fs';
        const at = setInterval(() => {
          if (!existsSync(${JSON.stringify(lock)})) return;
          clearInterval(at);
          ${what};
        }, 1);`,
      );
      const env = { ...at.bare, NODE_OPTIONS: `--import=${thrower}` };
      const { code, stderr } = await command(['start'], env);
      expect(code, stderr).to.equal(1);
      expect(stderr).to.match(/^reserve-board: Unexpected: W.*\n$/);
      expect(existsSync(lock), what).to.equal(false);
    }
  });

  it('reads settings of a file that an editor marked, whichever is first', async () => {
    for (const [name, text] of [
      ['PORT', '\ufeffPORT=no number\r\nLOG_LEVEL=silent\r\n'],
      ['DATABASE_URL', '\ufeffDATABASE_URL=no address\r\n'],
      ['PORT', '\ufeffLOG_LEVEL=silent\n\ufeff\ufeffPORT=no number\n'],
      ['PORT', Buffer.from('# caf\xe9\nPORT=no number\n', 'latin1')],
    ] as const) {
      await writeFile(path.join(at.folder, '.env'), text);
      const { [name]: _, ...rest } = at.env;
      const line = `exec "${process.execPath}" "${await compiledMain()}" `;
      const run = (args: string, env: Environment) =>
        shell('sh', ['-c', line + args], {
          cwd: at.folder,
          env: { PATH: process.env.PATH, ...env },
        }).catch((error: { stderr: string }) => error);
      expect((await run('start', rest)).stderr).to.include(name);
      // What the shell sets goes first.
      expect((await run('--version', at.env)).stderr).to.equal('');
    }
  });

  it('refuses settings in UTF-16, of which it would find none', async () => {
    for (const text of ['\ufeffPORT=1\r\n', 'PORT=1\r\n']) {
      const file = path.join(at.folder, '.env');
      await writeFile(file, Buffer.from(text, 'utf16le'));
      const failed = await shell(
        process.execPath,
        [await compiledMain(), 'start'],
        { cwd: at.folder, env: { PATH: process.env.PATH, ...at.env } },
      ).catch((error: { stderr: string }) => error);
      expect(failed.stderr).to.match(
        /\.env cannot be read .* save it as UTF-8/,
      );
    }
  });

  it('ends at a second signal, PostgreSQL included', async () => {
    const board = await running(['start'], at.bare, /"listening"/);
    const { url } = JSON.parse(board.lines[0] ?? '');
    // A publish that takes its time holds the first stop up.
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    slow.on('error', () => {});
    const head = 'Host: x\r\nContent-Type: application/json';
    slow.write(
      `POST /write/preview HTTP/1.1\r\n${head}\r\nContent-Length: 9\r\n\r\n{`,
    );
    await fetch(`${url}/healthz`);
    const begun = performance.now();
    const stopped = board.stop('SIGINT');
    const again = setInterval(() => void board.stop('SIGINT'), 100);
    const { code } = await stopped.finally(() => clearInterval(again));
    slow.destroy();
    expect(code).to.equal(130);
    expect(performance.now() - begun).to.be.within(1000, within(6000));
    expect(databaseRuns(at)).to.equal(false);
  });

  it('says that a stop is cut off when its database does not end', async () => {
    const loud = { ...at.bare, LOG_LEVEL: 'error' };
    const board = await running(['start', '--json'], loud, /"listening"/);
    const file = path.join(at.dataDir, 'pg18', 'postmaster.pid');
    const postmaster = Number((await readFile(file, 'utf8')).split('\n')[0]);
    expect(postmaster).to.be.above(1);
    process.kill(postmaster, 'SIGSTOP');
    const begun = performance.now();
    const { code, stdout } = await board
      .stop()
      .finally(() => process.kill(postmaster, 'SIGCONT'));
    expect(performance.now() - begun).to.be.within(9000, within(10_000));
    expect(code).to.equal(1);
    expect(stdout).to.include('The stop took longer than 9 s and is cut off');
    await until('the end of PostgreSQL', () => !existsSync(file));
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends with 0 on ${signal}, and a waiting reader gets its cursor`, async () => {
      const board = await running(['start', '--json'], at.env, /listening/);
      const { url } = JSON.parse(board.lines.at(-1) ?? '');
      expect((await fetch(`${url}/healthz`)).status).to.equal(200);
      const waiting = fetch(`${url}/api/updates?since=0&wait=25`);
      // The connection counts as accepted once a later request is answered.
      await fetch(`${url}/healthz`);
      const { code, stderr } = await board.stop(signal);
      expect(code, stderr).to.equal(0);
      const answer = await waiting.catch(() => null);
      if (answer?.status === 200) {
        expect(((await answer.json()) as { cursor: number }).cursor).to.equal(
          0,
        );
      }
    });
  }

  it('says in one line that the port is taken, and makes nothing', async () => {
    const other = await serving(createServer());
    const { port } = other;
    const env = { ...at.bare, PORT: String(port) };
    const said = await refusal(['start'], env).finally(other.stop);
    expect(said).to.equal(
      `reserve-board: Another program listens on 127.0.0.1:${port}; stop it or set PORT to a free one.\n`,
    );
    expect(await readdir(at.folder)).to.deep.equal([]);
  });

  it('lists every fault of the settings', async () => {
    const bad = {
      ...at.env,
      PORT: '70000',
      BOARD_LIMITS: '{"no_such": 1, "top_max": -1}',
      BOARD_COLOUR: 'red',
      BASE_URL: 'http://board.example/path',
      LOG_LEVEL: 'loud',
    };
    const { code, stderr, stdout } = await command(['start', '--json'], bad);
    expect(code).to.equal(1);
    const lines = stderr.trim().split('\n');
    for (const word of [
      ...['BOARD_COLOUR', 'PORT', 'no_such', 'top_max', 'BASE_URL'],
      'LOG_LEVEL',
    ]) {
      expect(lines.filter((line) => line.includes(word))).to.have.length(1);
    }
    expect(stderr).not.to.match(/^\s+at /m);
    expect(JSON.parse(stdout).faults).to.have.length(lines.length);
  });
});

const DRAFT = /^init-/;

describe('a first start that is cut off', () => {
  const at = givenHome({ LOG_LEVEL: 'warn' });

  const names = () => readdir(at.dataDir).catch((): string[] => []);

  async function cut(signal: NodeJS.Signals) {
    const child = await launched(['start'], at.env);
    const end = ended(child);
    await until('initdb', async () =>
      (await names()).some((name) => DRAFT.test(name)),
    );
    child.kill(signal);
    return await end;
  }

  it('by SIGTERM ends in order, before it has made a board', async () => {
    const { code, stdout, stderr } = await cut('SIGTERM');
    expect(code, stderr).to.equal(0);
    const said = (stdout + stderr).replace(/^.*security fixes.*\n/m, '');
    expect(said).to.equal('');
    const left = await names();
    expect(left).not.to.include('board.seed');
    expect(left.filter((name) => DRAFT.test(name))).to.deep.equal([]);
    expect(databaseRuns(at)).to.equal(false);
  });

  it('by SIGKILL is begun again by the next', async () => {
    await cut('SIGKILL');
    const node = await running(['start'], at.env, /"listening"/);
    const facts = JSON.parse(node.lines.at(-1) ?? '');
    expect(facts.writes).to.equal('open');
    const { code, stderr } = await node.stop();
    expect(code, stderr).to.equal(0);
  });
});

const SECRET = 'hunter2';

type Failing = {
  env?: Environment;
  make?: (dataDir: string) => Promise<unknown>;
  says: RegExp;
};

const folderIn = (name: string) => (dataDir: string) =>
  mkdir(path.join(dataDir, name), { recursive: true });

const BROKEN: Readonly<Record<string, Failing>> = {
  'a database that is away': {
    env: { DATABASE_URL: `postgresql://board:${SECRET}@127.0.0.1:1/board` },
    says: /ECONNREFUSED/,
  },
  'a socket of a database that is not there': {
    env: { DATABASE_URL: `postgresql://u:${SECRET}@localhost/x?host=/nowhere` },
    says: /ENOENT/,
  },
  'a head file without its seed': {
    make: async (dataDir) => {
      await mkdir(dataDir);
      await writeFile(headFile(dataDir), JSON.stringify(HEAD));
    },
    says: /board\.seed is missing/,
  },
  'an address that is none, and shows nothing of it': {
    env: { DATABASE_URL: `postgres://u:${SECRET}#x@127.0.0.1:1/x` },
    says: /percent-encoded \(# is %23\) \(ERR_INVALID_URL\)/,
  },
  'a certificate that is missing': {
    env: {
      DATABASE_URL: `postgres://u:${SECRET}@127.0.0.1:1/x?sslrootcert=/no/ca.pem`,
    },
    says: /\/no\/ca\.pem does not exist/,
  },
  'the nearest name of a limit': {
    env: { BOARD_LIMITS: '{"topics_per_sorce_hour":3}' },
    says: /topics_per_sorce_hour; did you mean topics_per_source_hour\?/,
  },
  'the nearest name of a setting': {
    env: { BOARD_TITEL: 'x' },
    says: /BOARD_TITEL is not a setting.*did you mean BOARD_TITLE\?/,
  },
  'a path of two lines': {
    env: { DATA_DIR: './a\nb' },
    says: /DATA_DIR must be one line/,
  },
  'a path that is too long': {
    env: { DATA_DIR: `./${'a'.repeat(300)}` },
    says: /is too long; name a shorter one/,
  },
  'a data folder that is a file': {
    make: (dataDir) => writeFile(dataDir, 'x'),
    says: /is not a folder; set DATA_DIR/,
  },
  'a data folder that is a link to itself': {
    make: (dataDir) => symlink(dataDir, dataDir),
    says: /is a link that leads back to itself/,
  },
  'a folder in the place of the seed': {
    make: folderIn('board.seed'),
    says: /board\.seed is in the way: the board needs a file/,
  },
  'a folder in the place of the log of PostgreSQL': {
    make: folderIn('postgres.log'),
    says: /postgres\.log is in the way: the board needs a file/,
  },
  'a seed that is none': {
    make: async (dataDir) => {
      await mkdir(dataDir);
      await writeFile(path.join(dataDir, 'board.seed'), 'zz');
    },
    says: /does not hold 64 hex digits; restore it from your backup/,
  },
  'the database of an older version alone': {
    make: async (dataDir) => {
      await folderIn('pg17')(dataDir);
      await writeFile(path.join(dataDir, 'pg17/PG_VERSION'), '17\n');
    },
    says: /pg17 holds a PostgreSQL 17 database.*run its "backup"/,
  },
};

describe('a start that fails says in one line, and makes nothing', () => {
  const at = givenHome();

  async function expectRefused(env: Environment, says: RegExp): Promise<void> {
    const before = await readdir(at.folder, { recursive: true });
    const given = { ...at.env, ...env };
    for (const LOG_LEVEL of ['warn', 'debug']) {
      const run = await command(['start'], { ...given, LOG_LEVEL });
      expect(run.code, run.stderr).to.equal(1);
      expect(run.stderr).to.match(says);
      // With the stack that this level shows, too, no secret may come out.
      expect(run.stderr + run.stdout).not.to.include(SECRET);
      if (LOG_LEVEL === 'warn') expect(run.stderr).to.match(/^.+\n$/);
    }
    expect(await readdir(at.folder, { recursive: true })).to.deep.equal(before);
  }

  for (const [title, { env = {}, make, says }] of Object.entries(BROKEN)) {
    it(title, async () => {
      await make?.(at.dataDir);
      await expectRefused(env, says);
    });
  }

  it('an address of another machine for the metrics', async () => {
    const env = { METRICS_HOST: '192.0.2.1', METRICS_PORT: '9464' };
    await expectRefused(env, /METRICS_HOST is no address of this machine/);
  });

  it('one port for two servers', async () => {
    const port = String(await freePort());
    const env = { PORT: port, METRICS_PORT: port };
    await expectRefused(env, /METRICS_PORT must be another port than PORT/);
  });
});
