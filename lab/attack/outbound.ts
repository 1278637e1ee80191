import { createServer } from 'node:http';
import { SPECIAL } from '../../test/mesh/pull/addresses.js';
import { serving } from '../../test/support/serving.js';
import { HOSTILE } from './hostile.js';
import type { Admin } from './operators.js';
import type { Answer, AttackClass, Try } from './target.js';

/** Special addresses, and spellings that lead to this machine. */
const hosts = (): string[] => [
  ...SPECIAL.map((it) => (it.includes(':') ? `[${it}]` : it)),
  ...HOSTILE.outbound,
];

/** A server of this machine that nobody may ask for anything. */
export async function canary(host: string) {
  let hits = 0;
  const server = createServer((_req, res) => {
    res.end('{}');
  }).on('connection', () => {
    hits += 1;
  });
  return { ...(await serving(server, host)), hits: () => hits };
}

/** Addresses of this machine and its network, as peers and as webhooks. */
export function outbound(
  admin: Admin,
  ports: readonly number[],
  hits: () => number,
): AttackClass {
  const addresses = hosts().flatMap((host) =>
    ports.map((port) => `//${host}:${port}/`),
  );
  const asked = (what: string, ask: () => Promise<Answer>): Try => ({
    what,
    run: async () => {
      const { status, json } = await ask();
      // What cannot be asked is refused as a board that is away.
      if (status >= 500 && json.error !== 'origin_unreachable') {
        return `it was answered ${status}`;
      }
      return hits() === 0 ? null : `${hits()} connections were made`;
    },
  });
  const kinds = ['decision'];
  return {
    name: 'requests to addresses of this machine',
    tries: addresses.flatMap((address) => [
      asked(`the peer http:${address}`, () =>
        admin.do('peer.add', { url: `http:${address}` }),
      ),
      asked(`the peer https:${address}`, () =>
        admin.do('peer.add', { url: `https:${address}` }),
      ),
      asked(`the webhook https:${address}`, async () => {
        const url = `https:${address}`;
        const channel = { of: 'board', way: 'webhook', kinds, url };
        const saved = await admin.do('notification.save', channel);
        const { channel: made } = (saved.json.data ?? saved.json) as {
          channel?: { id: string };
        };
        if (made === undefined) return saved;
        const tested = await admin.do('notification.test', { id: made.id });
        await admin.do('notification.remove', { id: made.id });
        return tested;
      }),
    ]),
  };
}
