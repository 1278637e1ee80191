import { execFile } from 'node:child_process';
import path from 'node:path';
import { randomUUID } from '../../test/support/random.js';
import { HOSTILE } from './hostile.js';
import {
  type Asked,
  type AttackClass,
  answered,
  isFine,
  type Target,
  type Try,
} from './target.js';

const { values, reads, proofs, tags, dates, methods, places } = HOSTILE.edges;

/** The newest parts, and the edges of HTTP that caches and proxies meet. */
export function edges(target: Target): AttackClass {
  const sent = (what: string, at: string, asked: Asked): Try =>
    answered(target, what, at, { ...asked, from: 'fresh' }, isFine);
  const conditional = (at: string, headers: Record<string, string>) =>
    sent(JSON.stringify(headers).slice(0, 60), at, { headers });
  const named = ['x', '', '\u0007', randomUUID().repeat(50), 'jndi:ldap://x'];
  return {
    name: 'parameters, proofs, conditions, methods, request names',
    tries: [
      ...reads.flatMap((read) =>
        values.map((value) => sent(read + value, read + value, {})),
      ),
      ...proofs.map((body) =>
        sent(body.slice(0, 60), '/api/proofs/verdict', {
          body,
          headers: { 'Content-Type': 'application/json' },
        }),
      ),
      ...tags.map((tag) =>
        conditional('/api/threads', {
          'If-None-Match': Buffer.from(tag).toString('latin1'),
        }),
      ),
      ...dates.map((date) =>
        conditional('/', {
          'If-Modified-Since': date,
          Range: 'bytes=0-,1-,2-',
        }),
      ),
      ...methods.flatMap((method) =>
        places.map((at) => sent(`${method} ${at}`, at, { method })),
      ),
      ...named.map((name) => ({
        what: `the request name ${JSON.stringify(name.slice(0, 20))}`,
        run: async () => {
          const headers = { 'X-Request-Id': name.replace('\u0007', '') };
          const answer = await target.ask('/x', { headers });
          const echoed = JSON.stringify(answer.headers).includes('jndi');
          if (echoed) return 'it came back';
          const { status } = answer;
          return isFine(status) ? null : `it was answered ${status}`;
        },
      })),
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
