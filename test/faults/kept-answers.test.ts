import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rate } from '../server/votes/rating.js';
import { createDatabase } from '../support/cluster.js';
import { FULL } from '../support/full.js';
import { type Post, publish } from '../support/post.js';
import { chosenSeed, freshNetwork, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { NodeProcess } from './node-process.js';

const TOPICS = 4;
const WRITES = FULL ? 1250 : 40;
/** What another process shows of a write at the latest (spec/board.md §14.7). */
const SHOWN_MS = 250;
const AHEAD = 5;

/** Two processes keep answers, and a third, of the same board, keeps none. */
describe('kept answers of threads and lists', () => {
  const random = randomOf(chosenSeed());
  const pick = <T>(from: readonly T[]): T =>
    from[Math.floor(random() * from.length)] as T;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let kept: NodeProcess[] = [];
  let plain: NodeProcess;
  const roots: number[] = [];
  const messages: number[] = [];

  before(async () => {
    database = await createDatabase();
    const env = { DATABASE_URL: database.url };
    const first = await NodeProcess.create({ env });
    const seed = path.join(first.dataDir, 'board.seed');
    const BOARD_SEED = (await readFile(seed, 'utf8')).trim();
    const same = (more = {}) =>
      NodeProcess.create({
        env: { ...env, BOARD_SEED, ROLES: 'api', ...more },
      });
    kept = [first, await same()];
    plain = await same({ FAST_PATHS: 'off' });
    for (let n = 0; n < TOPICS; n += 1) {
      await write(first, { title: `Kept topic ${n}`, body: `Of topic ${n}.` });
    }
  });

  after(async () => {
    for (const node of [...kept, plain]) await node.remove();
    await database.drop();
  });

  async function write(node: NodeProcess, post: Post) {
    const from = freshNetwork();
    const { message } = await publish(node, post, from);
    if (!roots.includes(message.root_id)) roots.push(message.root_id);
    messages.push(message.id);
  }

  /** Also of messages that are not there yet, or never will be. */
  function naming(): string {
    const newest = messages.at(-1) ?? 0;
    const named = [newest + 1, newest + 1 + Math.floor(random() * AHEAD)];
    return `See #${pick([...named, pick(messages), 999_999])}.`;
  }

  async function change(node: NodeProcess): Promise<string> {
    const target = pick(messages);
    const kind = pick(['reply', 'reply', 'naming', 'rating', 'topic']);
    if (kind === 'rating') {
      const vote = pick([1, 1, -1] as const);
      expect((await rate(node, target, vote, freshNetwork())).status).to.eq(
        201,
      );
    } else if (kind === 'topic') {
      const n = messages.length;
      await write(node, { title: `A topic more, ${n}`, body: naming() });
    } else {
      const body = kind === 'reply' ? 'An answer.' : naming();
      await write(node, { reply_to: target, body });
    }
    return `${kind} to ${target}`;
  }

  const addresses = () => [
    ...roots
      .slice(-TOPICS * 2)
      .flatMap((root) => [
        `/api/thread/${root}`,
        `/api/thread/${root}?format=text`,
        `/api/thread/${root}?last=3&preview=40`,
        `/api/thread/${root}?max_bytes=1000&format=text`,
      ]),
    ...['/api/threads?sort=active', '/api/top', '/api/updates?limit=100'],
    '/api/brief',
  ];

  const read = async (node: NodeProcess, address: string) => {
    const headers = { 'X-Forwarded-For': freshNetwork() };
    return await (await fetch(`${node.url}${address}`, { headers })).text();
  };

  it('are those of a board that keeps none, after each write', async () => {
    for (let n = 0; n < WRITES; n += 1) {
      const asked = addresses();
      const keep = async (node: NodeProcess) => {
        for (const address of [...asked, ...asked]) await read(node, address);
      };
      await Promise.all(kept.map(keep));
      const writer = pick(kept);
      const what = await change(writer);
      const wrote = performance.now();
      const fresh = new Map<string, string>();
      for (const address of asked) {
        const answer = await read(writer, address);
        const expected = await read(plain, address);
        fresh.set(address, expected);
        expect(answer, `${what}: ${address}`).to.equal(expected);
      }
      for (const node of kept) {
        if (node === writer) continue;
        await until(
          `${what} at the other process`,
          async () => {
            for (const [address, answer] of fresh) {
              if ((await read(node, address)) !== answer) return false;
            }
            return true;
          },
          Math.max(SHOWN_MS, 3 * (performance.now() - wrote)),
        );
      }
    }
  });
});
