import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FULL, within } from '../support/full.js';
import { publish } from '../support/post.js';
import { atOnce } from '../support/wire.js';
import { givenNode } from './given-node.js';
import { recordFaults, recordFigure } from './report.js';

const REPLIES = FULL ? 99 : 40;
const ATTACK_MS = FULL ? 60_000 : 5000;
const CONNECTIONS = 8;
const READERS = 30;
const READS = fileURLToPath(new URL('timed-reads.mjs', import.meta.url));

const NASTY = [
  `a${'\u200b'.repeat(3990)}`,
  'a\u200b'.repeat(1990),
  '"'.repeat(3990),
  '#1 '.repeat(1300),
  '*a_ '.repeat(990),
  '`a``'.repeat(990),
];
const MEMBERS = JSON.stringify(
  Object.fromEntries(
    [...Array(64).keys()].map((n) => [`f${n}`, Array(200).fill(1)]),
  ),
);

type Asked = { method: string; path: string; body?: string };

/** D12: a network that asks for what costs most, as often as it may. */
describe('a network at its worst', () => {
  const node = givenNode();
  let root = 0;

  before(async () => {
    root = (await publish(node, { body: NASTY[0] ?? '' })).message.id;
    for (let n = 0; n < REPLIES; n += 1) {
      const body = `${n}${NASTY[n % NASTY.length]}`;
      await publish(node, { body, reply_to: root });
    }
  });

  /** Never the same address twice, so no cache helps. */
  function worst(n: number): Asked {
    const since = `since=${n % root}&x=${n}`;
    const asked: Asked[] = [
      { method: 'GET', path: `/t/${root}?${since}` },
      { method: 'GET', path: `/api/thread/${root}?limit=100&${since}` },
      { method: 'POST', path: '/write/preview', body: MEMBERS },
      { method: 'GET', path: `/t/${root}?last=99&x=${n}` },
      { method: 'POST', path: '/mcp', body: MEMBERS },
      { method: 'GET', path: `/api/updates?limit=100&${since}` },
      { method: 'GET', path: `/api/search?q=zq&x=${n}` },
      { method: 'GET', path: `/feed.atom?x=${n}` },
    ];
    return asked[n % asked.length] ?? { method: 'GET', path: '/' };
  }

  function send(agent: Agent, asked: Asked, from: string): Promise<number> {
    const { method, path, body } = asked;
    const headers = {
      Accept: 'text/html, application/json',
      'Accept-Encoding': 'gzip',
      'Content-Type': 'application/json',
      'X-Forwarded-For': from,
    };
    return new Promise((resolve, reject) => {
      const req = request(`${node.url}${path}`, { agent, method, headers });
      req.on('response', (res) => {
        res.resume().on('end', () => resolve(res.statusCode ?? 0));
        res.on('error', reject);
      });
      req.on('error', reject);
      req.end(body);
    });
  }

  /** How long others' reads take meanwhile, the longest last. */
  async function readersWhile(
    networks: number,
    work: () => Promise<unknown>,
  ): Promise<number[]> {
    const readers = ['/api/brief', `/t/${root}?page=1`, '/api/rooms'].map(
      (path, at) =>
        new Worker(READS, {
          workerData: {
            url: `${node.url}${path}`,
            // Of many, as a minute of one reader is more than its limit.
            froms: [...Array(READERS).keys()].map(
              (n) => `192.0.${2 + at}.${n + networks * READERS}`,
            ),
            pauseMs: 60,
          },
        }),
    );
    await work();
    const times = await Promise.all(
      readers.map(async (reader) => {
        const told = once(reader, 'message') as Promise<[number[]]>;
        reader.postMessage('stop');
        return (await told)[0];
      }),
    );
    return times.flat().toSorted((a, b) => a - b);
  }

  const p99Of = (times: readonly number[]) =>
    times[Math.floor(times.length * 0.99)] ?? 0;
  const figureOf = (times: readonly number[]) =>
    `p99 ${p99Of(times).toFixed(0)} ms of ${times.length} reads`;

  async function attacked(networks: number): Promise<number> {
    const statuses = new Map<number, number>();
    const unavailable: string[] = [];
    let sent = 0;
    const until = performance.now() + ATTACK_MS;
    const attack = () =>
      atOnce(networks * CONNECTIONS, async (client) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const from = `198.51.100.${networks * 10 + (client % networks)}`;
        while (performance.now() < until) {
          sent += 1;
          const asked = worst(sent);
          const status = await send(agent, asked, from);
          if (status === 503) unavailable.push(asked.path);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        agent.destroy();
      });
    const times = await readersWhile(networks, attack);
    const told = [...statuses].map(([status, n]) => `${n} × ${status}`).join();
    const test = `D12 ${networks} networks`;
    await recordFigure(test, `${figureOf(times)} (${told})`);
    await recordFaults({ test, faults: sent });
    // A 503 would be one of the board's own making.
    expect(unavailable).to.eql([]);
    if (FULL) expect(statuses.get(429) ?? 0, told).to.be.above(0);
    return p99Of(times);
  }

  it('is compared with nobody', async () => {
    const quiet = await readersWhile(0, () =>
      once(AbortSignal.timeout(ATTACK_MS / 2), 'abort'),
    );
    await recordFigure('D12 nobody', figureOf(quiet));
    expect(quiet).not.to.eql([]);
  });

  it('leaves the reads of others their time', async () => {
    expect(await attacked(1)).to.be.at.most(within(250));
  });

  it('does so with five others', async () => {
    expect(await attacked(6)).to.be.at.most(within(1000));
  });
});
