// Loaded into a node before its program: once the file named by DIE_AT says n,
// the process dies by SIGKILL as it begins its n-th query from then on.
import { existsSync, readFileSync } from 'node:fs';
import pg from 'pg';

const file = process.env.DIE_AT ?? '';
const { query } = pg.Client.prototype;
let left = null;

pg.Client.prototype.query = function dyingQuery(...args) {
  if (left === null && existsSync(file)) {
    left = Number(readFileSync(file, 'utf8'));
  }
  if (left !== null) {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  }
  return query.apply(this, args);
};
