import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { admin } from '../../support/cluster.js';
import { within } from '../../support/full.js';
import { until } from '../../support/until.js';
import { command, running } from './command.js';
import { givenHome } from './home.js';

const shell = promisify(execFile);

describe('reserve-board start', () => {
  const at = givenHome({ LOG_LEVEL: 'silent' }, { database: true });

  it('needs nothing but a folder, and says where everything is', async () => {
    const { DATABASE_URL: _, ...bare } = at.env;
    const board = await running(['start'], bare, /"listening"/);
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
    expect(await readdir(path.join(at.dataDir, 'pg18'))).not.to.include(
      'postmaster.pid',
    );
    const checked = await command(['doctor', '--json'], bare);
    expect(JSON.parse(checked.stdout).ok, checked.stdout).to.equal(true);
  });

  it('ends at a second signal, PostgreSQL included', async () => {
    const { DATABASE_URL: _, ...bare } = at.env;
    const board = await running(['start'], bare, /"listening"/);
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
    expect(await readdir(path.join(at.dataDir, 'pg18'))).not.to.include(
      'postmaster.pid',
    );
  });

  it('says that a stop is cut off when its database does not end', async () => {
    const { DATABASE_URL: _, ...bare } = at.env;
    const loud = { ...bare, LOG_LEVEL: 'error' };
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
    const { DATABASE_URL: _, ...bare } = at.env;
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await command(['start'], {
      ...bare,
      PORT: String(port),
    }).finally(() => other.close());
    expect(code).to.equal(1);
    expect(stderr).to.equal(
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

  it('refuses a database that may forget a commit', async () => {
    const name = new URL(at.databaseUrl).pathname.slice(1);
    await admin(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    const { code, stderr } = await command(['start'], at.env);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^reserve-board: The database has synchronous_/);
    expect(stderr.trim().split('\n')).to.have.length(1);
  });

  it('says in one line that the database is away', async () => {
    const cases: [string, RegExp][] = [
      ['postgresql://board@127.0.0.1:1/board', /ECONNREFUSED/],
      ['postgresql://board:secret@localhost/board?host=/nowhere', /ENOENT/],
    ];
    for (const [url, pattern] of cases) {
      const { code, stderr } = await command(['start'], {
        ...at.env,
        DATABASE_URL: url,
      });
      expect(code).to.equal(1);
      expect(stderr).to.match(pattern);
      expect(stderr).not.to.include('secret');
      expect(stderr.trim().split('\n')).to.have.length(1);
    }
  });
});
