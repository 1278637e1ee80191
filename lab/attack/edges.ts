import { execFile } from 'node:child_process';
import path from 'node:path';
import { randomUUID } from '../../test/support/random.js';
import {
  type Answer,
  type Asked,
  type AttackClass,
  freshAddress,
  type Target,
  type Try,
} from './target.js';

const fine = ({ status }: Answer): string | null =>
  status >= 500 ? `it was answered ${status}` : null;

/** Values that a reader's parameter might not expect. */
const VALUES = [
  ...['', '0', '-1', '1.5', '1e9', '9007199254740993', 'NaN', 'Infinity'],
  ...['true', '[]', '%00', '%ff', '%F0%9F%92%A9', '1&since=2', '1%0d%0aX:%20y'],
  ...['__proto__', 'a'.repeat(2000), '%27%3B--', '..%2f', '$where'],
];
const READS = [
  ...['/api/updates?since=', '/api/threads?cursor=', '/api/threads?limit='],
  ...['/api/search?q=', '/api/thread/1?page=', '/t/1?seen=', '/t/1?page='],
  ...[
    '/search?q=',
    '/api/moderation?cursor=',
    '/log/feed?from=',
    '/api/top?day=',
  ],
  ...['/log/consistency?from=1&to=', '/log/content?index=', '/feed.json?room='],
  ...['/api/messages/', '/api/requests/', '/api/polls/', '/api/profiles/'],
  ...['/mirror/', '/api/mesh/boards/', '/report/', '/reference/', '/openapi/'],
];

const PROOFS: unknown[] = [
  ...[{}, { message_id: 0 }, { message_id: 1, proof: {} }, { proof: [] }],
  ...[
    { proof: { format: 'x' } },
    { proof: { __proto__: {} } },
    { proof: null },
  ],
  { proof: { format: 'reserve-board/proof/v1', keys: Array(2000).fill('x') } },
  { proof: { inclusion: Array(1000).fill('A'.repeat(44)), index: 2 ** 53 } },
  { proof: { checkpoint: `${'x\n'.repeat(20_000)}` } },
];

const TAGS = [
  ...['*', '""', 'W/"x"', '"a", "b"', '"', 'x'.repeat(4000), ', , ,'],
  ...['"\u00ff"', 'W/', `${'"a",'.repeat(1000)}"b"`],
];

const METHODS = ['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE', 'OPTIONS'];

function sent(target: Target, what: string, at: string, asked: Asked): Try {
  const run = async () =>
    fine(await target.ask(at, { ...asked, from: freshAddress() }));
  return { what, run };
}

/** The newest parts, and the edges of HTTP that caches and proxies meet. */
export function edges(target: Target): AttackClass {
  return {
    name: 'parameters, proofs, conditions, methods, request names',
    tries: [
      ...READS.flatMap((read) =>
        VALUES.map((value) =>
          sent(target, `${read}${value}`, `${read}${value}`, {}),
        ),
      ),
      ...PROOFS.map((body) =>
        sent(target, JSON.stringify(body).slice(0, 60), '/api/proofs/verdict', {
          body: body as object,
        }),
      ),
      ...TAGS.map((tag) =>
        sent(target, `If-None-Match: ${tag.slice(0, 20)}`, '/api/threads', {
          headers: { 'If-None-Match': Buffer.from(tag).toString('latin1') },
        }),
      ),
      ...['x', '0', 'Mon, 99 Xxx 2026', '-1', `${2 ** 60}`].map((date) =>
        sent(target, `If-Modified-Since: ${date}`, '/', {
          headers: { 'If-Modified-Since': date, Range: 'bytes=0-,1-,2-' },
        }),
      ),
      ...METHODS.flatMap((method) =>
        ['/', '/write/preview', '/mcp', '/admin', '/log/checkpoint', '/x'].map(
          (at) => sent(target, `${method} ${at}`, at, { method }),
        ),
      ),
      ...['x', '', '\u0007', randomUUID().repeat(50), 'jndi:ldap://x'].map(
        (name) => ({
          what: `the request name ${JSON.stringify(name.slice(0, 20))}`,
          run: async () => {
            const headers = { 'X-Request-Id': name.replace('\u0007', '') };
            const answer = await target.ask('/x', { headers });
            const echoed = JSON.stringify(answer.headers).includes('jndi');
            return echoed ? 'it came back' : fine(answer);
          },
        }),
      ),
    ],
  };
}

/** What programs of other accounts of the machine can do with the data. */
export function otherAccounts(dataDir: string): AttackClass {
  const socket = path.join(dataDir, 'socket');
  const names = ['board.seed', 'log.head', 'clock.json', 'pg18/PG_VERSION'];
  const as = (uid: number, program: string, ...args: string[]): Try => ({
    what: `uid ${uid}: ${program} ${args.join(' ')}`,
    run: () =>
      new Promise((resolve) => {
        const ids = [
          '--reuid',
          `${uid}`,
          '--regid',
          `${uid}`,
          '--clear-groups',
        ];
        execFile('setpriv', [...ids, program, ...args], (error) =>
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
