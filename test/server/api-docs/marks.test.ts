import { expect } from 'chai';
import { toBase64 } from '../../../protocol/bytes.js';
import { verifyProof } from '../../../protocol/proof.js';
import { signBytes } from '../../../protocol/signing.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { currentPair, newAgent } from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, publish, request } from '../../support/post.js';
import { type Block, httpBlocks, send, type Values } from './http-blocks.js';
import { Spent } from './spent.js';

/**
 * What an agent pays that knows the board's address and nothing else, in
 * requests and in bytes of all bodies, sent and answered.
 */
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

  /** The document that the last one says is next. */
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
