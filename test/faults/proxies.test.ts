import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Daemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { runFolder } from '../support/run-folder.js';
import { serving } from '../support/serving.js';
import { until } from '../support/until.js';

const DEPLOY = new URL('../../deploy/', import.meta.url);
const MOST = 128;
const [ONE, OTHER] = ['127.0.0.1', '127.0.0.2'];

const HALF = {
  head: 'GET /healthz HTTP/1.1\r\nHost: board.example\r\nX-Half: ',
  body: 'POST /write/preview HTTP/1.1\r\nHost: board.example\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{"body":',
};

type Shipped = {
  file: string;
  program: string;
  version: string;
  /** Every bound of the file, and what tests make of it. */
  bounds: readonly (readonly [RegExp, string])[];
  counts: boolean;
  config(text: string, port: number, board: number, folder: string): string;
  line(config: string, folder: string): string[];
};

const NGINX_PLACES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const PROXIES: readonly Shipped[] = [
  {
    file: 'nginx.conf',
    program: 'nginx',
    version: '-v',
    bounds: [
      [/client_header_timeout 10s;/g, 'client_header_timeout 1s;'],
      [/client_body_timeout 10s;/g, 'client_body_timeout 1s;'],
      [/limit_conn reserve_board 128;/g, 'limit_conn reserve_board 128;'],
    ],
    counts: true,
    config: (text, port, board, folder) => `daemon off; pid ${folder}/pid;
      error_log ${folder}/error.log;
      events {}
      http {
        access_log off;
        ${NGINX_PLACES.map((it) => `${it}_temp_path ${folder}/${it};`).join(' ')}
        ${text
          .replace(/^ {4}(?:ssl_|listen \[).*\n/gm, '')
          .replace('/var/log/nginx/', `${folder}/`)
          .replace('listen 80;', `listen unix:${folder}/80.sock;`)
          .replace('listen 443 ssl http2;', `listen ${port};`)
          .replace('127.0.0.1:8080', `127.0.0.1:${board}`)}
      }`,
    line: (config, folder) => ['-c', config, '-p', folder],
  },
  {
    file: 'cluster/haproxy.cfg',
    program: 'haproxy',
    version: '-v',
    bounds: [
      [/timeout http-request 10s/g, 'timeout http-request 1s'],
      [/option http-buffer-request/g, 'option http-buffer-request'],
      [/reject if \{ sc_conn_cur\(0\) gt 128 \}/g, '$&'],
    ],
    counts: true,
    config: (text, port, board) =>
      text
        .replace('    log     global\n', '')
        .replace(/^listen primary\n(?:[ \t]+.*\n)+/m, '')
        .replace('bind :80\n', `bind :${port}\n`)
        .replace('10.0.0.11:8080', `127.0.0.1:${board}`)
        .replace(/^ {4}server board2 .*\n/m, ''),
    line: (config) => ['-db', '-f', config],
  },
  {
    file: 'Caddyfile',
    program: 'caddy',
    version: 'version',
    bounds: [
      [/read_header 10s/g, 'read_header 1s'],
      [/read_body 10s/g, 'read_body 1s'],
      [/connections\.nft/g, '$&'],
    ],
    counts: false,
    config: (text, port, board) =>
      `${text.replace('\n\tservers', '\n\tadmin off\n\tservers')}`
        .replace('board.example {', `http://board.example:${port} {`)
        .replace('127.0.0.1:8080', `127.0.0.1:${board}`),
    line: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
];

function isInstalled({ program, version }: Shipped): boolean {
  try {
    execFileSync(program, [version], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a proxy by the file of deploy/', () => {
  for (const shipped of PROXIES) {
    const { file } = shipped;

    it(`bounds heads, bodies and connections: ${file}`, async () => {
      const text = await readFile(new URL(file, DEPLOY), 'utf8');
      for (const [bound] of shipped.bounds) expect(text).to.match(bound);
    });

    // The lines above are all that can be checked without the program.
    if (isInstalled(shipped)) describe(file, () => held(shipped));
  }

  it('logs no address', async () => {
    const read = (file: string) => readFile(new URL(file, DEPLOY), 'utf8');
    const nginx = (await read('nginx.conf')).split(/^server \{$/m).slice(1);
    for (const server of nginx) expect(server).to.include('access_log off;');
    expect(nginx[1]).to.match(/error_log \S+ crit;/);
    expect(await read('Caddyfile')).to.include('request>uri delete');
    // Without `httplog` lines have no address.
    expect(await read('cluster/haproxy.cfg')).not.to.match(
      /httplog|log-format/,
    );
  });

  it('has one number of connections in all files', async () => {
    const text = await readFile(new URL('connections.nft', DEPLOY), 'utf8');
    expect(text.match(/ct count over (\d+)/g)).to.deep.equal(
      [4, 6].map(() => `ct count over ${MOST}`),
    );
  });
});

function held(shipped: Shipped): void {
  let port: number;
  let stop: () => Promise<unknown>;
  const sockets: net.Socket[] = [];

  before(async () => {
    const board = await serving(
      createServer((req, res) => {
        if (req.url === '/wait') res.writeHead(200).write('…');
        else res.end(String(req.headers['x-forwarded-for']));
      }),
    );
    port = await freePort();
    const folder = await mkdtemp(path.join(runFolder(), 'proxy-'));
    let file = await readFile(new URL(shipped.file, DEPLOY), 'utf8');
    for (const [bound, short] of shipped.bounds) {
      file = file.replace(bound, short);
    }
    const config = path.join(folder, 'config');
    await writeFile(config, shipped.config(file, port, board.port, folder));
    const daemon = new Daemon({
      file: shipped.program,
      line: shipped.line(config, folder),
      log: path.join(folder, 'log'),
    });
    daemon.start();
    stop = async () => {
      for (const socket of sockets) socket.destroy();
      await daemon.end();
      await board.stop();
    };
    await until('the proxy answers', () => {
      daemon.assertRuns();
      return serves(ONE).catch(() => false);
    });
  });

  after(() => stop());

  /** What a client of this address is answered: whom the board took it for. */
  const answered = async (localAddress: string, claim = {}) => {
    const request = get({
      ...{ host: ONE, port, localAddress, agent: false, path: '/healthz' },
      headers: { host: 'board.example', ...claim },
    });
    const [response] = await once(request, 'response');
    return { status: response.statusCode, who: await text(response) };
  };
  const serves = async (localAddress: string) =>
    (await answered(localAddress)).status === 200;
  const opened = (text: string, count: number) =>
    Array.from({ length: count }, () => {
      const socket = net.connect({ host: ONE, port, localAddress: ONE });
      sockets.push(socket);
      socket.on('error', () => {});
      socket.write(text);
      return socket;
    });

  it('tells the board its client, whatever that says of itself', async () => {
    const { who } = await answered(OTHER, { 'X-Forwarded-For': '192.0.2.7' });
    // The last one counts (docs/operate.md).
    expect(who.split(', ').at(-1)).to.equal(OTHER);
  });

  for (const [what, sent] of Object.entries(HALF)) {
    it(`ends those who send half a ${what}, and serves others meanwhile`, async () => {
      const half = opened(sent, 100);
      const ended = Promise.all(
        half.map(async (socket) => {
          socket.resume();
          await new Promise((resolve) => socket.once('close', resolve));
        }),
      );
      expect(await serves(OTHER)).to.equal(true);
      await ended;
    });
  }

  if (!shipped.counts) return;

  it(`lets one client hold ${MOST} connections, and serves others`, async () => {
    const wait = 'GET /wait HTTP/1.1\r\nHost: board.example\r\n\r\n';
    const waiting = opened(wait, MOST + 20);
    const answers = await Promise.all(
      waiting.map(
        (socket) =>
          new Promise<string>((resolve) => {
            socket.once('data', (bytes) => resolve(String(bytes)));
            socket.once('close', () => resolve(''));
          }),
      ),
    );
    const held = answers.filter((text) => text.includes(' 200 '));
    expect(held).to.have.length(MOST);
    expect(await serves(OTHER)).to.equal(true);
    for (const socket of waiting) socket.destroy();
    await until('the client may come again', () =>
      serves(ONE).catch(() => false),
    );
  });
}
