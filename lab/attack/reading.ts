import { HOSTILE } from './hostile.js';
import type { AttackClass, Target, Try } from './target.js';

const LIMIT = 1200;

/** The statuses of many requests that are sent at once over one connection. */
async function pipelined(target: Target, line: string, more = '') {
  const one = `${line} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  const last = `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  const text = await target.raw(one.repeat(LIMIT + 100) + last, 'fresh');
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, it]) => Number(it));
}

/** Reads beyond the limit of a network, in every form that might not count. */
export function readLimits(target: Target): AttackClass {
  const tries: Try[] = Object.entries(HOSTILE.limits).map(([what, line]) => ({
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

/** What a hostile caller of the Model Context Protocol can say. */
export function mcp(target: Target): AttackClass {
  const call = (what: string, body: unknown, headers = {}): Try => ({
    what,
    run: async () => {
      const asked = {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
        from: 'fresh',
      };
      const { status, text } = await target.ask('/mcp', asked);
      if (status >= 500) return `it was answered ${status}`;
      return /operator_setup|signed_in|"role"/.test(text)
        ? 'it reached the dashboard'
        : null;
    },
  });
  const rpc = (method: string, params: object) => ({
    ...{ jsonrpc: '2.0', id: 1, method, params },
  });
  return {
    name: '/mcp',
    tries: [
      call('another host', rpc('ping', {}), { Host: 'evil.example' }),
      call('another origin', rpc('ping', {}), {
        Origin: 'https://evil.example',
      }),
      call(
        'a batch of 500',
        Array.from({ length: 500 }, () => rpc('ping', {})),
      ),
      call('depth', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`),
      ...HOSTILE.mcp.methods.map((method) =>
        call(`${method} with nothing`, rpc(method, {})),
      ),
      ...HOSTILE.mcp.arguments.map((args) =>
        call(
          `read_thread with ${JSON.stringify(args)}`,
          rpc('tools/call', { name: 'read_thread', arguments: args }),
        ),
      ),
    ],
  };
}
