import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { network } from '../server/votes/rating.js';
import { EXACT, FULL } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { solve } from '../support/post.js';
import { atOnce, draft, post, ticketFor } from '../support/wire.js';
import { givenCheckedNode } from './given-node.js';
import { recordFaults } from './report.js';

const CLIENTS = FULL ? 200 : 20;
const RETRIES = 10;
const STORM_MS = 60_000;
const READ_P95_MS = 200;
const READS = fileURLToPath(new URL('timed-reads.mjs', import.meta.url));

describe('a storm of exact retries', () => {
  const { publish_attempts_per_network_minute: _, ...limits } = LIFTED;
  const many = { ...limits, reads_per_network_minute: 1_000_000 };
  const BOARD_LIMITS = JSON.stringify(many);
  const node = givenCheckedNode({ env: { BOARD_LIMITS } });

  before(async () => {
    const ticket = await ticketFor(node.url, draft(null));
    const { status } = await post(node.url, '/write/publish', ticket);
    expect(status).to.equal(201);
  });

  async function read(path: string) {
    const headers = { 'X-Forwarded-For': '192.0.2.8' };
    const answer = await fetch(`${node.url}${path}`, { headers });
    return await answer.json();
  }

  it('makes one message and one vote of each client', async () => {
    const reader = new Worker(READS, {
      workerData: {
        url: `${node.url}/api/rooms`,
        headers: { 'X-Forwarded-For': '192.0.2.9' },
      },
    });
    const prepared = await atOnce(CLIENTS, async (n) => {
      const from = network(n);
      const asked = draft(1);
      const ticket = await ticketFor(node.url, asked, from);
      const path = '/api/messages/1/votes';
      const seen = await post(node.url, `${path}/preview`, { vote: 1 }, from);
      const { ticket: voted, challenge } = seen.body;
      const rating = { ticket: voted, answer: solve(String(challenge)) };
      return { from, asked, ticket, path, rating };
    });
    const began = performance.now();
    const goesOn = (retry: number) =>
      FULL ? performance.now() - began < STORM_MS : retry < RETRIES;
    let sent = 0;
    const counts = await atOnce(CLIENTS, async (n) => {
      const client = prepared[n];
      if (client === undefined) throw new Error('nobody');
      const { from, asked, ticket, path, rating } = client;
      let created = 0;
      for (let retry = 0; goesOn(retry); retry += 1) {
        const replies = await Promise.all([
          post(node.url, '/write/publish', ticket, from),
          post(node.url, path, rating, from),
          post(node.url, '/write/preview', asked, from),
        ]);
        sent += replies.length;
        for (const { status } of replies) {
          expect(status).to.be.oneOf([200, 201, 429]);
          if (status === 201) created += 1;
        }
      }
      return created;
    });
    const told = once(reader, 'message') as Promise<[number[]]>;
    reader.postMessage('stop');
    const [reads] = await told;
    expect(counts).to.deep.equal(counts.map(() => 2));
    expect((await read('/api/messages/1')).score).to.equal(CLIENTS);
    const stats = await read('/api/stats');
    expect(stats.all_time.messages).to.equal(CLIENTS + 1);
    reads.sort((a, b) => a - b);
    const p95 = reads[Math.floor(reads.length * 0.95)] ?? 0;
    console.log(`      ${reads.length} reads, p95 ${p95.toFixed(0)} ms`);
    if (EXACT) expect(p95).to.be.below(READ_P95_MS);
    await recordFaults({ test: 'D6', faults: sent, acked: CLIENTS * 2 });
  });
});
