import { execFile } from 'node:child_process';
import path from 'node:path';
import type { AttackClass, Try } from './target.js';

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
