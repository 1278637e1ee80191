import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { solve } from '../../test/support/post.js';
import { randomUUID } from '../../test/support/random.js';
import { Admin } from './admin.js';
import { type AttackClass, freshAddress, Target, type Try } from './target.js';

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

/** The statuses of many requests that are sent at once over one connection. */
async function pipelined(target: Target, line: string, more = '') {
  const one = `${line} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  const last = `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  const text = await target.raw(one.repeat(LIMIT + 100) + last, 'fresh');
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
      const { headers } = await target.ask('/api/threads?limit=1');
      const condition = `If-None-Match: ${headers.etag}\r\n`;
      const line = 'GET /api/threads?limit=1';
      const statuses = await pipelined(target, line, condition);
      return statuses.includes(429) ? null : 'nothing was refused';
    },
  });
  return { name: 'limits of reads', tries };
}

/** Publishes, and waits where the board as a whole has had enough. */
async function published(target: Target, post: object): Promise<number> {
  const from = freshAddress();
  const draft = { ...post, request_id: randomUUID() };
  const seen = await target.ask('/write/preview', { body: draft, from });
  const { publish, challenge } = seen.json as {
    publish?: { json_template: object };
    challenge?: string;
  };
  if (publish === undefined) throw new Error(`preview: ${seen.text}`);
  const body = { ...publish.json_template, answer: solve(String(challenge)) };
  const answer = await target.ask('/write/publish', { body, from });
  const { message, retry_after_seconds: wait } = answer.json as {
    message?: { id: number };
    retry_after_seconds?: number;
  };
  if (message !== undefined) return message.id;
  if (answer.status !== 429) throw new Error(`publish: ${answer.text}`);
  await setTimeout(1000 * Number(wait));
  return await published(target, post);
}

async function addressesOf(target: Target, id: number): Promise<string[]> {
  const { json } = await target.ask('/openapi.json');
  const fill: Record<string, string | number> = {
    ...{ id, message_id: id, L: 0, N: '000', W: 1, room: 'lobby' },
    ...{ uuid: randomUUID(), name: target.url.host, part: 'reading' },
  };
  return Object.entries(json.paths as object)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) =>
      path.replace(/\{(\w+)\}/g, (_, it) => String(fill[it] ?? 1)),
    );
}

/** A removed text, looked for wherever a stranger can look. */
async function removal(admin: Admin): Promise<AttackClass> {
  const { target } = admin;
  const marker = `marker${randomUUID().replaceAll('-', '')}`;
  const id = await published(target, { title: marker, body: marker });
  const addresses = [
    ...(await addressesOf(target, id)),
    ...[`/search?q=${marker}`, `/api/search?q=${marker}&match=all`],
    ...[`/api/updates?since=${id - 1}`, `/api/threads?limit=100`],
    ...[`/log/content?index=${id}`, `/api/mesh/search?q=${marker}`],
  ];
  const before = (await target.ask(`/t/${id}`)).text.includes(marker);
  const removed = await admin.do('decision.record', {
    ...{ action: 'remove', id, reason: 'spam', explanation: 'An attack.' },
  });
  if (!before || removed.status !== 200) {
    throw new Error(`nothing was removed: ${removed.text}`);
  }
  const forms = ['text/html', 'application/json', 'text/markdown', '*/*'];
  const tries = addresses.flatMap((path) =>
    forms.map(
      (form): Try => ({
        what: `${path} as ${form}`,
        run: async () => {
          const headers = { Accept: form };
          const asked = { headers, from: 'fresh' };
          const { text, status } = await target.ask(path, asked);
          if (status >= 500) return `it was answered ${status}`;
          const shown = text.replaceAll(/q=marker[0-9a-f]*/g, '');
          const echoed = /value="marker|"q":"marker|for “?marker|marker\w* –/;
          return shown.includes(marker) && !echoed.test(shown)
            ? 'the text is there'
            : null;
        },
      }),
    ),
  );
  return { name: 'a removed text', tries };
}

export type AttackOptions = {
  /** The address of a running board of this machine. */
  board: string;
  /** The link of its first operator, for what needs a session. */
  setup: string | null;
  /** Its data folder, for what other accounts of the machine may try. */
  data: string | null;
};

type Outcome = { name: string; tried: number; notHeld: string[] };

/** One attack after the other, so that each finding has one cause. */
async function attacked({ name, tries }: AttackClass): Promise<Outcome> {
  const notHeld: string[] = [];
  for (const { what, run } of tries) {
    const wrong = await run().catch((error: Error) => error.message);
    if (wrong !== null) notHeld.push(`${what}: ${wrong}`);
  }
  return { name, tried: tries.length, notHeld };
}

/** As strangers and as an operator; returns whether everything held. */
export async function runAttack(options: AttackOptions): Promise<boolean> {
  const target = new Target(options.board);
  const outcomes: Outcome[] = [];
  const note = (outcome: Outcome) => {
    outcomes.push(outcome);
    const { name, tried, notHeld } = outcome;
    console.log(`| ${name} | ${tried} | ${tried - notHeld.length} |`);
    for (const one of notHeld) console.log(`not held: ${one}`);
  };
  console.log('| class | tried | held |\n| --- | --- | --- |');
  note(await attacked(paths(target)));
  if (options.data !== null) note(await attacked(otherAccounts(options.data)));
  note(await attacked(readLimits(target)));
  if (options.setup !== null) {
    const admin = await Admin.enter(target, options.setup);
    note(await attacked(await removal(admin)));
  }
  const tried = outcomes.reduce((sum, it) => sum + it.tried, 0);
  const wrong = outcomes.reduce((sum, it) => sum + it.notHeld.length, 0);
  console.log(`| all | ${tried} | ${tried - wrong} |`);
  return wrong === 0 && (await target.isWell());
}
