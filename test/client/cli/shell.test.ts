// One file though it is long: each test runs a line of bash by both builds of
// the command, on one board.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import path from 'node:path';
import type { Ended } from '../../server/cli/command.js';
import { TestClock } from '../../support/clock.js';
import { compiledClient, compiledMain } from '../../support/compiled.js';
import { givenBoard } from '../../support/hooks.js';
import { passOn } from '../../support/pass-on.js';
import { publish } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';
import { selfSigned } from '../../support/self-signed.js';
import { type Serving, serving } from '../../support/serving.js';

type Lookup = (
  host: string,
  options: { all?: boolean },
  done: (error: null, ...found: unknown[]) => void,
) => void;
type ChainOptions = {
  host: string;
  port: number;
  prepareRequestFunction(asked: { username: string; password: string }): {
    requestAuthentication: boolean;
    dnsLookup: Lookup;
  };
};
const { Server: Chain } = createRequire(import.meta.url)('proxy-chain') as {
  Server: new (
    options: ChainOptions,
  ) => {
    port: number;
    listen(): Promise<void>;
    close(all: true): Promise<void>;
  };
};

const HERE = { address: '127.0.0.1', family: 4 };
const MARK = '\ufeff';
const LONG = 'One word more. '.repeat(250);

/** Long, as one board and one folder of keys serve every command in turn. */
describe('the agents’ commands in a shell', () => {
  const test = givenBoard({
    lifted: true,
    env: { TRUST_PROXY: '192.0.2.0/24' },
    clock: new TestClock(Date.now()),
  });
  let folder: string;
  let programs: string[];

  before(async () => {
    folder = await newFolder();
    programs = [await compiledMain(), await compiledClient()];
    await publish(test, { title: 'Long', body: LONG });
  });

  /** A line of bash; `$RB` is a program, `$B` the board. */
  function shell(program: string, line: string, env: object = {}) {
    test.clock.set(Date.now());
    const { PATH } = process.env;
    const set = { PATH, RB: `node ${program}`, B: test.url, ...env };
    return new Promise<Ended>((resolve) => {
      const at = { cwd: folder, env: set as NodeJS.ProcessEnv };
      execFile('bash', ['--norc', '-c', line], at, (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code);
        resolve({ code, stdout, stderr });
      });
    });
  }

  async function each(line: string, env: object = {}): Promise<Ended[]> {
    return await Promise.all(programs.map((one) => shell(one, line, env)));
  }

  const newest = async () =>
    (await test.as().get('/api/updates?limit=100&full=1')).body.data.at(-1);

  describe('the one-file client', () => {
    const bySingle = (words: string) =>
      shell(programs[1] ?? '', `$RB ${words} --board $B`);

    it('reports a message once for a UUID, and looks it up', async () => {
      const { message } = await publish(test, { title: 'For sale' });
      const words = `report ${message.id} --reason spam --detail Sold`;
      const first = await bySingle(words);
      expect(first.code, first.stderr).to.equal(0);
      const { request_id: uuid, ...said } = JSON.parse(first.stdout);
      expect(said).to.include({ ok: true, status: 'received' });
      const again = await bySingle(`${words} --request-id ${uuid}`);
      expect(JSON.parse(again.stdout)).to.deep.include({
        request_id: uuid,
        status_url: said.status_url,
      });
      const looked = await bySingle(`look-up ${uuid}`);
      expect(looked.stdout).to.equal('The report is received.\n');
      const other = await bySingle(
        `report ${message.id} --reason other --request-id ${uuid}`,
      );
      expect(other.code).to.equal(1);
      expect(other.stderr).to.include('409 request_id_conflict');
      expect(JSON.parse(other.stdout)).to.include({ ok: false });
    });

    it('reads what matters of a thread within bytes', async () => {
      const { message } = await publish(test, { title: 'A long thread' });
      for (let at = 0; at < 12; at += 1) {
        await publish(test, { reply_to: message.id, body: LONG });
      }
      const read = await bySingle(`read ${message.id} --max-bytes 1500`);
      expect(read.code, read.stderr).to.equal(0);
      expect(Buffer.byteLength(read.stdout)).to.be.within(800, 1500);
      expect(read.stdout).to.match(/^THREAD \{[\s\S]*\nGAP \d+ left out: http/);
      const json = await bySingle(`read ${message.id} --max-bytes 1500 --json`);
      expect(json.stderr).to.include('--max-bytes is for text');
    });
  });

  describe('what standard output cannot take', () => {
    it('is one line and exit code 1, whatever was to be printed', async () => {
      for (const words of ['read 1', '--help', 'read --search word --json']) {
        const board = words === '--help' ? '' : '--board $B';
        for (const run of await each(`$RB ${words} ${board} > /dev/full`)) {
          expect(run.stderr, words).to.equal(
            'reserve-board: Standard output cannot be written (ENOSPC).\n',
          );
          expect(run.code, words).to.equal(1);
        }
      }
    });

    it('is a failure, too, when a part was written', async () => {
      const line = 'ulimit -f 1; $RB read 1 --board $B > part.txt';
      for (const run of await each(line)) {
        expect(run).to.include({ code: 1 });
        expect(run.stderr).to.match(/cannot be written \(EFBIG\)\.\n$/);
      }
    });

    it('names the message that is public all the same', async () => {
      const line =
        '$RB post --title Full --body Disk --board $B --json > /dev/full';
      for (const { code, stderr } of await each(line)) {
        expect(code).to.equal(1);
        const [, id] = /\/t\/\d+\S*.*request_id ([0-9a-f-]{36})\.\n$/.exec(
          stderr,
        ) as RegExpExecArray;
        const { body } = await test.as().get(`/api/requests/${id}`);
        expect(body.title).to.equal('Full');
        expect(stderr).to.include(` ${body.receipt.url}`);
      }
    });

    it('is nothing once its reader has seen enough', async () => {
      for (const words of ['read 1', 'read --json', 'rate 1 +1', '--help']) {
        const board = words === '--help' ? '' : '--board $B';
        const line = `$RB ${words} ${board} | true; exit \${PIPESTATUS[0]}`;
        for (const run of await each(line)) {
          expect(run, words).to.deep.equal({ code: 0, stdout: '', stderr: '' });
        }
      }
    });

    it('leaves a failure a failure, and ends who follows', async () => {
      const failed = '$RB read 999 --board $B --json | true';
      for (const run of await each(`${failed}; exit \${PIPESTATUS[0]}`)) {
        expect(run.code).to.equal(1);
        expect(run.stderr).to.match(/^reserve-board: .*thread_not_found.*\n$/);
      }
      const followed = 'timeout 30 $RB read 1 --follow --board $B';
      for (const run of await each(
        `${followed} | true; exit \${PIPESTATUS[0]}`,
      )) {
        expect(run).to.deep.equal({ code: 0, stdout: '', stderr: '' });
      }
      for (const run of await each(`${followed} > /dev/full`)) {
        expect(run.code).to.equal(1);
        expect(run.stderr.trim().split('\n')).to.have.length(1);
      }
    });

    it('ends the bridge of a host that is gone', async () => {
      const ping = `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'`;
      const quick = `${ping} | $RB mcp --board $B > /dev/full`;
      for (const run of await each(quick)) {
        expect(run.code).to.equal(1);
        expect(run.stderr).to.match(/\(ENOSPC\)\.\n$/);
      }
    });
  });

  describe('a byte order mark', () => {
    it('of a body’s file or of standard input is no part of the text', async () => {
      await writeFile(path.join(folder, 'marked.md'), `${MARK}# Heading\ntext`);
      const kept = `${MARK}${MARK}twice`;
      await writeFile(path.join(folder, 'twice.md'), kept);
      const post = '$RB post --title Marked --board $B';
      for (const [more, body] of [
        ['--body-file marked.md', '# Heading\ntext'],
        ['--body-file - < marked.md', '# Heading\ntext'],
        ['--body - < marked.md', '# Heading\ntext'],
        ['< marked.md', '# Heading\ntext'],
        ['--body-file twice.md', `${MARK}twice`],
        [`--body '${MARK}given'`, `${MARK}given`],
      ] as const) {
        for (const run of await each(`${post} ${more} --json`)) {
          expect(run.code, run.stderr).to.equal(0);
          const { id } = JSON.parse(run.stdout).message;
          const { body: shown } = await test.as().get(`/api/messages/${id}`);
          expect(shown.body, more).to.equal(body);
        }
      }
    });

    it('makes no key, proof, pin or line of the bridge unreadable', async () => {
      const [, oneFile = ''] = programs;
      const key = `--key-file me.key --board $B`;
      const made = await shell(
        oneFile,
        `$RB key new --key-file me.key && $RB key register ${key} && $RB post ${key} --board-name board.test --title S --body B --json`,
      );
      expect(made.code, made.stderr).to.equal(0);
      const receipt = made.stdout.trim().split('\n').at(-1) ?? '';
      const { id } = JSON.parse(receipt).message;
      const fetched = await shell(
        oneFile,
        `$RB proof ${id} --board $B --out p.json`,
      );
      expect(fetched.code, fetched.stderr).to.equal(0);
      const { body } = await test.as().get('/api/protocol');
      await writeFile(path.join(folder, 'pins'), body.signatures.log.vkey);
      for (const name of ['me.key', 'p.json', 'pins']) {
        const file = path.join(folder, name);
        await writeFile(file, MARK + (await readFile(file, 'utf8')));
      }
      const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
      for (const run of await each(
        `$RB post ${key} --board-name board.test --title S2 --body B && $RB verify p.json --pins pins && printf '${MARK}%s\\n' '${ping}' | $RB mcp --board $B`,
      )) {
        expect(run.code, run.stderr).to.equal(0);
        expect(run.stdout).to.include('Proven').and.include('"id":7');
      }
    });
  });

  describe('by way of a proxy', () => {
    const toBoard: http.RequestListener = (req, res) => {
      const { pathname, search } = new URL(req.url ?? '', test.url);
      passOn(req, res, `${test.url}${pathname}${search}`);
    };

    type Asked = { line: string; auth: string | undefined };
    let asked: Asked[];
    let proxy: Serving;
    let port: number;
    let secure: Serving;
    const pem = () => path.join(folder, 'board.pem');

    before(async () => {
      const { key, certificate: cert } = selfSigned('board.test');
      await writeFile(pem(), cert);
      secure = await serving(https.createServer({ key, cert }, toBoard));
      const server = http.createServer((req, res) => {
        asked.push({
          line: `${req.method} ${req.url}`,
          auth: req.headers['proxy-authorization'],
        });
        toBoard(req, res);
      });
      server.on('connect', (req, socket) => {
        asked.push({
          line: `CONNECT ${req.url}`,
          auth: req.headers['proxy-authorization'],
        });
        if (req.url?.startsWith('refused')) {
          socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
          return;
        }
        const isPlain = req.url?.startsWith('plain');
        const plain = new URL(test.url).port;
        const to = isPlain ? plain : secure.port;
        const on = connect(Number(to), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.pipe(on).pipe(socket);
        });
        on.on('error', () => socket.destroy());
        socket.on('error', () => on.destroy());
      });
      proxy = await serving(server);
      ({ port } = proxy);
    });

    beforeEach(() => {
      asked = [];
    });

    after(async () => {
      await secure.stop();
      await proxy.stop();
    });

    it('reads, writes and carries MCP, with its name and password', async () => {
      const ping = `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'`;
      const env = {
        http_proxy: `http://ann:p%40ss@127.0.0.1:${port}`,
        HTTP_PROXY: 'http://127.0.0.1:9',
        RESERVE_BOARD_URL: 'http://board.test',
      };
      const line = `$RB read && $RB post --title P --body 'By proxy' --json && ${ping} | $RB mcp`;
      for (const run of await each(line, env)) {
        expect(run.code, run.stderr).to.equal(0);
        expect(run.stdout).to.include('Long').and.include('"result":{}');
      }
      const lines = asked.map((one) => one.line);
      expect(lines).to.include('POST http://board.test/write/preview');
      expect(lines).to.include('POST http://board.test/mcp');
      const basic = `Basic ${btoa('ann:p@ss')}`;
      expect(asked.every((one) => one.auth === basic)).to.equal(true);
      expect((await newest()).body).to.equal('By proxy');
    });

    it('opens a tunnel for https, and says what the proxy answers', async () => {
      const env = { HTTPS_PROXY: `127.0.0.1:${port}` };
      for (const { code, stderr } of await each(
        '$RB read --board https://refused.test',
        env,
      )) {
        expect(code).to.equal(1);
        expect(stderr).to.match(/through the proxy 127\.0\.0\.1:\d+: .* 407/);
      }
      const [plain] = await each('$RB read --board https://plain.test', env);
      expect(plain?.stderr).to.match(
        /through the proxy [^ ]+: (?:ERR_SSL|EPROTO)/,
      );
      const trusting = { ...env, NODE_EXTRA_CA_CERTS: pem() };
      const line = '$RB read --board https://board.test:8443';
      for (const run of await each(line, trusting)) {
        expect(run.code, run.stderr).to.equal(0);
        expect(run.stdout).to.include('Long');
      }
      // Who listens in the middle is found out.
      for (const run of await each(line, env)) expect(run.code).to.equal(1);
      const other = line.replace('board.test', 'other.test');
      for (const run of await each(other, trusting)) {
        expect(run.stderr).to.include('ERR_TLS_CERT_ALTNAME_INVALID');
      }
      expect(asked.map((one) => one.line)).to.include(
        'CONNECT board.test:8443',
      );
    });

    it('may be of another maker, for both schemes', async () => {
      const chain = new Chain({
        ...{ host: '127.0.0.1', port: 0 },
        prepareRequestFunction: ({ username, password }) => ({
          requestAuthentication: `${username}:${password}` !== 'ann:p@ss',
          dnsLookup: (_host, { all }, done) =>
            all ? done(null, [HERE]) : done(null, HERE.address, HERE.family),
        }),
      });
      await chain.listen();
      const { port: plain } = new URL(test.url);
      const asked = (user: string, board: string) => {
        const at = `http://${user}@127.0.0.1:${chain.port}`;
        const env = { HTTP_PROXY: at, https_proxy: at };
        const trusting = { ...env, NODE_EXTRA_CA_CERTS: pem() };
        return each(`$RB read --board ${board}`, trusting);
      };
      try {
        for (const board of [
          `http://board.test:${plain}`,
          `https://board.test:${secure.port}`,
        ]) {
          for (const run of await asked('ann:p%40ss', board)) {
            expect(run.code, run.stderr).to.equal(0);
            expect(run.stdout).to.include('Long');
          }
          for (const run of await asked('ann:other', board)) {
            expect(run.code, board).to.equal(1);
            expect(run.stderr).to.include('407');
          }
        }
      } finally {
        await chain.close(true);
      }
    });

    it('is left out for loopback and for what NO_PROXY names', async () => {
      const closed = { HTTP_PROXY: 'http://127.0.0.1:9' };
      const loopback = test.url.replace('127.0.0.1', 'localhost');
      for (const board of [test.url, loopback]) {
        for (const run of await each(`$RB read --board ${board}`, closed)) {
          expect(run.code, run.stderr).to.equal(0);
        }
      }
      const env = { HTTP_PROXY: `http://127.0.0.1:${port}` };
      const read = async (board: string, except: string) => {
        asked = [];
        const [program = ''] = programs;
        await shell(program, `$RB read --board ${board}`, {
          ...env,
          no_proxy: except,
        });
        return asked.length > 0;
      };
      const used = [
        ['http://board.test', '', true],
        ['http://board.test', 'other.test, oard.test', true],
        ['http://board.test', 'board.test:81', true],
        ['http://board.test', 'a, .Board.Test', false],
        ['http://sub.board.test', 'x board.test:80', false],
        ['http://192.0.2.9', '192.0.2.0/30', true],
        ['http://0.0.0.0:9', '10.0.0.0/8,0.0.0.0/30', false],
        ['http://board.test', '*', false],
      ] as const;
      const seen: unknown[] = [];
      for (const [board, except] of used) {
        seen.push([board, except, await read(board, except)]);
      }
      expect(seen).to.deep.equal(used);
    });

    it('says that another kind of proxy is not used', async () => {
      const env = { HTTPS_PROXY: 'socks5://127.0.0.1:1080' };
      const line = '$RB read --board https://board.test --json';
      for (const run of await each(line, env)) {
        expect(JSON.parse(run.stdout).error).to.equal('bad_proxy');
        expect(run.stderr).to.match(/^reserve-board: HTTPS_PROXY must be /);
      }
    });
  });
});
