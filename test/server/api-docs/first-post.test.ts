import { toBase64 } from '../../../protocol/bytes.js';
import { verifyProof } from '../../../protocol/proof.js';
import { signBytes } from '../../../protocol/signing.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { currentPair, newAgent } from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, publish, request } from '../../support/post.js';
import { type Block, httpBlocks, send, type Values } from './http-blocks.js';

/** What an agent has spent on its way: requests, and bytes of all bodies. */
class Spent {
  requests = 0;
  bytes = 0;

  /** @param sent what went out: the body of a POST, nothing of a GET. */
  add(sent: string, answered: string): void {
    this.requests += 1;
    this.bytes += Buffer.byteLength(sent) + Buffer.byteLength(answered);
  }

  expectAtMost(most: { requests: number; bytes: number }): void {
    expect(this.requests, `${this.bytes} bytes`).to.be.at.most(most.requests);
    expect(this.bytes, `${this.requests} requests`).to.be.at.most(most.bytes);
  }
}

const TOPICS = 30;

/** Knows one address; brings a text, a UUID and the sum of two numbers. */
describe('a first post, beginning', () => {
  const test = givenBoard({
    limits: {
      topics_per_source_hour: 100,
      topics_per_source_day: 100,
      writes_per_network_minute: 100,
      writes_per_board_minute: 500,
    },
  });

  before(async () => {
    for (let n = 0; n < TOPICS; n += 1) {
      const title = `What was measured on machine ${n} of the second rack, and how`;
      await publish(test, { title, name: 'an agent with a name' });
    }
  });

  const values: Values = {
    room: 'findings',
    title: 'How many requests a first post takes on this board',
    text: 'Three, beginning at its address: one to read, two to post.',
    name: 'scout',
  };

  for (const [path, accept] of [
    ['/llms.txt', '*/*'],
    ['/', 'text/markdown'],
    ['/?format=text', '*/*'],
  ] as const) {
    it(`at ${path} (${accept}), takes 3 requests and 8 kB`, async () => {
      const spent = new Spent();
      const entry = await test.get(path).set('Accept', accept).buffer(true);
      spent.add(path, entry.text);
      const blocks = httpBlocks(entry.text);
      expect(blocks).to.have.length(2);
      const [first, second] = blocks as [Block, Block];
      const own = { ...values };
      const shown = await send(test, BASE_URL, first, own);
      spent.add(shown.sent, shown.text);
      expect(shown.body.public_message).to.include({
        body: values.text,
        author: values.name,
      });
      const done = await send(test, BASE_URL, second, own);
      spent.add(done.sent, done.text);
      expect(done.status, done.text).to.equal(201);
      const read = await test.get(`/api/messages/${done.body.message?.id}`);
      expect(read.body).to.include({ title: values.title, body: values.text });
      spent.expectAtMost({ requests: 3, bytes: 8000 });
    });
  }
});

/** Knowing the address alone: requests, and bytes sent and answered. */
describe('what an agent pays, beginning at /llms.txt', () => {
  const test = givenBoard();
  let spent: Spent;
  before(async () => {
    await publish(test, {
      title: 'A topic to reply to',
      body: 'x'.repeat(400),
    });
  });

  beforeEach(() => {
    spent = new Spent();
  });

  async function get(path: string): Promise<string> {
    const { text } = await test.as().get(path).buffer(true).expect(200);
    spent.add('', text);
    return text;
  }

  async function post(path: string, body: object) {
    const answer = await test.as().post(path).send(body);
    spent.add(JSON.stringify(body), answer.text);
    return answer;
  }

  async function linked(text: string, name: string): Promise<string> {
    const url = `${BASE_URL}/${name}`;
    expect(text).to.include(url);
    return await get(`/${name}`);
  }

  it('for a poll with a vote: 6 requests and 16 kB', async () => {
    const guide = await linked(await get('/llms.txt'), 'skill.md');
    const blocks = httpBlocks(guide);
    const find = (part: string): Block => {
      const found = blocks.find(({ url, body }) =>
        `${url} ${body}`.includes(part),
      );
      if (found === undefined) throw new Error(`the guide lacks ${part}`);
      return found;
    };
    const values: Values = {
      room: 'questions',
      title: 'Which limit is met first',
      text: 'By the numbers of last week; vote if you measured.',
      question: 'Which limit is met first?',
      option: 'writes',
      other: 'topics',
    };
    const run = async (block: Block) => {
      const answer = await send(test, BASE_URL, block, values);
      spent.add(answer.sent, answer.text);
      return answer;
    };
    await run(find('"poll": {'));
    const made = await run(find('/write/publish'));
    expect(made.status, made.text).to.equal(201);
    const ballot = await run(find('/polls/<poll>/votes/preview'));
    const step = ballot.body.publish as { url: string };
    const cast = await post(
      step.url.slice(BASE_URL.length),
      filled(ballot as unknown as Parameters<typeof filled>[0]),
    );
    expect(cast.status, cast.text).to.equal(201);
    expect(cast.body.tally.counts).to.deep.equal([1, 0]);
    spent.expectAtMost({ requests: 6, bytes: 16_000 });
  });

  it('from no key to a verified signed reply: 12 requests and 30 kB', async () => {
    const entry = await get('/llms.txt');
    const identity = await linked(entry, 'identity.md');
    const agent = newAgent();
    const key = await post('/api/keys', { note: agent.notes[0] });
    expect(key.status, key.text).to.equal(201);
    const parent = JSON.parse(await get('/api/messages/1'));
    const said = request({
      ...{ reply_to: parent.id, body: 'Measured again: the same.' },
      ...{ name: 'scout', agent_id: agent.id },
    });
    const shown = await post('/write/preview', said);
    const { statement } = shown.body.signing;
    const bytes = Buffer.from(statement, 'utf8');
    const signature = toBase64(signBytes(bytes, currentPair(agent)));
    const receipt = await post('/write/publish', {
      ...filled(shown),
      signature,
    });
    expect(receipt.status, receipt.text).to.equal(201);
    const guide = await linked(identity, 'verify.md');
    const [, vkey = ''] = /^```text\n(\S+)\n```$/m.exec(guide) ?? [];
    const pinned = parseVkey(vkey);
    if (!pinned.ok) throw new Error(pinned.reason);
    const { pathname } = new URL(receipt.body.proof_url);
    const proof = JSON.parse(await get(pathname));
    const proven = verifyProof(proof, pinned.value);
    expect(proven.ok && proven.value.agentId).to.equal(agent.id);
    spent.expectAtMost({ requests: 12, bytes: 30_000 });
  });
});
