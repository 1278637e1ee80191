import { execFile } from 'node:child_process';
import path from 'node:path';
import { type AttackClass, Target, type Try } from './target.js';

function otherAccounts(dataDir: string): AttackClass {
  const socket = path.join(dataDir, 'socket');
  const names = ['board.seed', 'log.head', 'clock.json', 'pg18/PG_VERSION'];
  const as = (uid: number, program: string, ...args: string[]): Try => ({
    what: `uid ${uid}: ${program} ${args.join(' ')}`,
    run: () =>
      new Promise((resolve) => {
        const as = `--reuid ${uid} --regid ${uid} --clear-groups`.split(' ');
        execFile('setpriv', [...as, program, ...args], (error) =>
          resolve(error === null ? 'it worked' : null),
        );
      }),
  });
  const query = `const {Client}=require('pg');new Client({host:${JSON.stringify(socket)},user:process.argv[1],database:'postgres'}).connect().then(()=>process.exit(0),()=>process.exit(1))`;
  return {
    name: 'other accounts of the machine',
    tries: [65_534, 1000, 33].flatMap((uid) => [
      ...names.map((name) => as(uid, 'cat', path.join(dataDir, name))),
      as(uid, 'ls', socket),
      as(uid, process.execPath, '-e', query, 'postgres'),
      as(uid, process.execPath, '-e', query, 'board'),
    ]),
  };
}

/** Ways out of what is served, and names that are no name of anything. */
const PATHS = [
  ...['/../../etc/passwd', '/..%2f..%2fetc/passwd'],
  ...['/%2e%2e/%2e%2e/board.seed', '/admin/assets/../../board.seed'],
  '/admin/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  ...['/admin/assets/..%5c..%5cpackage.json', '/client/../package.json'],
  ...['/client/%2e%2e/package.json', '/%00', '/api/threads%00.json'],
  ...['/api/messages/%ff', '/api/messages/__proto__', '/api/messages/-1'],
  ...['/api/messages/1e3', '/api/messages/9007199254740993'],
  ...['/log/tile/0/../../x', '/log/tile/0/x001/-01'],
  ...['/mirror/..%2f/checkpoint', '/openapi/__proto__'],
  ...['/reference/constructor', '/node_modules/express/package.json'],
  ...['/.env', '/.git/config'],
];

function paths(target: Target): AttackClass {
  const tries = PATHS.map((path): Try => {
    const run = async () => {
      const end = 'Host: a\r\nConnection: close\r\n\r\n';
      const text = await target.raw(`GET ${path} HTTP/1.1\r\n${end}`);
      if (!/^HTTP\/1\.1 (?:400|404|301|308) /.test(text)) {
        return text.slice(0, 40);
      }
      return /root:|"dependencies"|[0-9a-f]{64}\n$/.test(text)
        ? 'a file of the machine came back'
        : null;
    };
    return { what: path, run };
  });
  return { name: 'paths', tries };
}

const LIMIT = 1200;
const LINES = {
  GET: 'GET /api/threads?limit=1',
  HEAD: 'HEAD /api/threads?limit=1',
  pages: 'GET /connect',
  'messages that are not there': 'GET /api/messages/999999999',
};

async function pipelined(target: Target, line: string, more = '') {
  const one = `${line} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  const last = `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  const text = await target.raw(one.repeat(LIMIT + 100) + last);
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, it]) => Number(it));
}

function readLimits(target: Target): AttackClass {
  const tries: Try[] = Object.entries(LINES).map(([what, line]) => ({
    what: `${LIMIT + 100} pipelined: ${what}`,
    run: async () => {
      const statuses = await pipelined(target, line);
      const served = statuses.filter((it) => it < 400 || it === 404);
      const refusals = statuses.filter((it) => it === 429);
      // Two windows, where a minute begins within the run.
      if (served.length > 2 * LIMIT + 1) return `${served.length} were served`;
      return refusals.length > 0 || served.length <= 2 * LIMIT
        ? null
        : 'nothing was refused';
    },
  }));
  tries.push({
    what: 'conditional reads',
    run: async () => {
      const { headers } = await target.get('/api/threads?limit=1');
      const condition = `If-None-Match: ${headers.get('etag')}\r\n`;
      const line = 'GET /api/threads?limit=1';
      const statuses = await pipelined(target, line, condition);
      return statuses.includes(429) ? null : 'nothing was refused';
    },
  });
  return { name: 'limits of reads', tries };
}

export type AttackOptions = {
  board: string;
  /** Its data folder, for what other accounts of the machine may try. */
  data: string | null;
};

/** One attack after the other, so that each finding has one cause. */
async function notHeld({ tries }: AttackClass): Promise<string[]> {
  const found: string[] = [];
  for (const { what, run } of tries) {
    const wrong = await run().catch((error: Error) => error.message);
    if (wrong !== null) found.push(`not held: ${what}: ${wrong}`);
  }
  return found;
}

export async function runAttack(options: AttackOptions): Promise<boolean> {
  const target = new Target(options.board);
  const classes = [
    paths(target),
    ...(options.data === null ? [] : [otherAccounts(options.data)]),
    readLimits(target),
  ];
  let wrong = 0;
  console.log('| class | tried | held |\n| --- | --- | --- |');
  for (const one of classes) {
    const found = await notHeld(one);
    const { length: tried } = one.tries;
    console.log(`| ${one.name} | ${tried} | ${tried - found.length} |`);
    for (const line of found) console.log(line);
    wrong += found.length;
  }
  // It answers others, as it has to after every attack.
  return wrong === 0 && (await target.get('/healthz')).status === 200;
}
