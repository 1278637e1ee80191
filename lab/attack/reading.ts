import type { AttackClass, Target, Try } from './target.js';

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

export function readLimits(target: Target): AttackClass {
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
