import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { rate } from '../server/votes/rating.js';
import { FULL, within } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { PostgresServer } from '../support/postgres-server.js';
import { chosenSeed, freshNetwork, randomOf } from '../support/random.js';
import { NodeProcess } from './node-process.js';

const READS = FULL ? 10_000 : 500;
/** What another process shows of a write at the latest (spec/board.md §14.7). */
const SHOWN_MS = 250;
const READERS = 6;
/** Replies and votes are about these; older ones leave the lists. */
const RECENT = 5;
/** Of an address, and addresses that are read. */
const KEPT = 8;
const ADDRESSES = 40;

type Item = Record<'id' | 'last_reply_id' | 'score' | 'likes', number> & {
  body: string;
};
type Body = { data: Item[]; references: Item[]; score: number };
/** What JSON or text shows from then on, and which process wrote it. */
type Fact = {
  at: number;
  by: number;
  shows: (body: Body, text: string) => boolean;
};

describe('two processes with a replica, which keep answers', () => {
  const draw = randomOf(chosenSeed());
  const below = (n: number) => Math.floor(draw() * n);
  const facts = new Map<string, Fact[]>();
  let nodes: NodeProcess[] = [];
  let primary: PostgresServer;
  let standby: PostgresServer;

  before(async () => {
    primary = await PostgresServer.create();
    standby = await primary.standby();
    const limits = { ...LIFTED, reads_per_network_minute: 1_000_000 };
    const env = {
      DATABASE_URL: primary.url(),
      DATABASE_REPLICA_URLS: standby.url(),
      BOARD_LIMITS: JSON.stringify(limits),
    };
    const one = await NodeProcess.create({ env });
    const seed = await readFile(path.join(one.dataDir, 'board.seed'), 'utf8');
    const same = { ...env, BOARD_SEED: seed.trim() };
    nodes = [one, await NodeProcess.create({ env: same })];
  });

  after(async () => {
    for (const node of nodes) await node.remove();
    await standby.remove();
    await primary.remove();
  });

  type Topic = { id: number; names: number };
  const topics: Topic[] = [];
  const likes = new Map<number, number>();
  let newest = 0;

  async function write(): Promise<void> {
    const by = below(2);
    const node = nodes[by] as NodeProcess;
    const topic = topics.at(-1 - below(Math.min(RECENT, topics.length)));
    const kind = draw();
    const note = (url: string, shows: Fact['shows']) => {
      const known = facts.get(url)?.slice(-KEPT) ?? [];
      facts.delete(url); // the newest addresses are last
      facts.set(url, [...known, { at: performance.now(), by, shows }]);
    };
    if (topic === undefined || kind < 0.1) {
      const names = newest + 1 + below(4);
      const title = `Topic number ${topics.length}.`;
      const body = `What will #${names} say?`;
      const { id } = (await publish(node, { title, body })).message;
      newest = Math.max(newest, id);
      topics.push({ id, names });
      note('/', (_, page) => page.includes(title));
      note(`/t/${id}`, (_, page) => page.includes(title));
    } else if (kind < 0.7) {
      const post = { reply_to: topic.id, body: `Reply ${draw()}.` };
      const { id } = (await publish(node, post)).message;
      newest = Math.max(newest, id);
      const isIn = ({ data }: Body) =>
        data.some((it) => it.id === id && it.body === post.body);
      note(`/api/thread/${topic.id}?limit=100`, isIn);
      note(`/t/${topic.id}`, (_, page) => page.includes(post.body));
      note(`/api/updates?since=${id - 1}&limit=1`, isIn);
      note('/api/threads?sort=active', ({ data }) =>
        data.some((it) => it.id === topic.id && it.last_reply_id >= id),
      );
      for (const namer of topics.filter(({ names }) => names === id)) {
        note(`/api/messages/${namer.id}`, ({ references }) =>
          references.some((it) => it.id === id),
        );
      }
    } else {
      const { id } = topic;
      expect((await rate(node, id, 1, freshNetwork())).status).to.equal(201);
      const count = (likes.get(id) ?? 0) + 1;
      likes.set(id, count);
      note(`/api/messages/${id}`, (it) => it.score >= count);
      note(
        `/api/thread/${id}?limit=100`,
        ({ data }) => (data[0]?.score ?? 0) >= count,
      );
      note('/api/top', ({ data }) => (data[0]?.likes ?? 0) >= count);
    }
  }

  async function read(): Promise<void> {
    const recent = [...facts.keys()].slice(-ADDRESSES);
    const url = recent[below(recent.length)] ?? '';
    const at = below(2);
    const began = performance.now();
    const { status, body, text } = await (nodes[at] as NodeProcess)
      .as()
      .get(url)
      .set(
        'Accept',
        url.startsWith('/api/') ? 'application/json' : 'text/html',
      );
    expect(status, url).to.equal(200);
    for (const fact of facts.get(url) ?? []) {
      const from = fact.at + (fact.by === at ? 0 : within(SHOWN_MS));
      if (began < from) continue;
      const shown = fact.shows(body, text);
      expect(shown, `${url}, ${began - fact.at} ms later`).to.equal(true);
    }
  }

  it(`show in ${READS} reads what was written before`, async () => {
    let done = 0;
    const reader = async () => {
      for (; done < READS; done += 1) await read();
    };
    const writer = async () => {
      while (done < READS) await write();
    };
    await write();
    const all = [...Array(READERS)].map(reader);
    await Promise.all([...all, writer(), writer()]);
  });
});
