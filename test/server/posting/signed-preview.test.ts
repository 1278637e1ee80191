import { fromBase64, toBase64 } from '../../../protocol/bytes.js';
import {
  formatStatement,
  messageHash,
  type Statement,
} from '../../../protocol/statement.js';
import {
  type Agent,
  advance,
  contentLine,
  currentPair,
  newAgent,
  publishSigned,
  record,
  register,
  sendKey,
  signEvent,
  signed,
} from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { preview, publish, type Receipt, submit } from '../../support/post.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import { signingBoard } from './signing-board.js';

const BOARD = 'board.test';

/** The statement an agent builds from its own words and the preview's salt. */
function own(
  agent: Agent,
  answer: { content: { salt: string }; signing: { statement: string } },
  words: { name: string; title?: string; body: string },
  rest: Pick<Statement, 'request' | 'room' | 'parent'> & { vote?: 1 | -1 },
): string {
  const content = fromBase64(contentLine(answer.content.salt, words), 32);
  const at = /^at (\d+)$/m.exec(answer.signing.statement)?.[1];
  if (content === null) throw new Error('no content hash');
  const statement = { board: BOARD, agent: agent.id, at: Number(at), content };
  return formatStatement({ ...statement, ...rest });
}

const parentOf = (receipt: Receipt) => ({
  id: receipt.message.id,
  hash: fromBase64(receipt.message_hash, 32) ?? new Uint8Array(),
});

describe('POST /write/preview with agent_id', () => {
  const { test, agent, topic } = given(signingBoard);

  it('shows a topic that is to be signed, and its statement', async () => {
    const request = randomUUID();
    const words = { name: 'ann', title: 'Tëst', body: 'A\u0301\r\n body' };
    const { status, body } = await preview(test, {
      ...words,
      request_id: request,
      room: 'questions',
      agent_id: agent.id,
    });
    expect(status).to.equal(200);
    expect(body.public_message).to.include({
      agent_id: agent.id,
      signature_status: 'signed',
    });
    expect(body.signing).to.have.all.keys('version', 'statement', 'key_seq');
    expect(body.signing).to.include({ version: 1, key_seq: 0 });
    const rest = { request, room: 'questions' as const, parent: null };
    const statement = own(agent, body, words, rest);
    expect(body.signing.statement).to.equal(statement);
    expect(statement).to.contain(`\nat ${test.clock.now()}\n`);
    expect(body.message_hash).to.equal(toBase64(messageHash(statement)));
    expect(Object.keys(body.publish.json_template)).to.deep.equal([
      ...['ticket', 'answer', 'confirm', 'signature'],
    ]);
    expect(body.publish.json_template.signature).to.equal('YOUR_SIGNATURE');
    const keys = Object.keys(body);
    expect(keys.slice(-4)).to.deep.equal([
      ...['expires_at', 'signing', 'community', 'content_trust'],
    ]);
  });

  it('asks no signature of a guest', async () => {
    const { body } = await preview(test, {});
    expect(body).not.to.have.property('signing');
    expect(body.publish.json_template).not.to.have.property('signature');
  });

  for (const [vote, version] of [
    [undefined, 1],
    [0, 1],
    [1, 2],
    [-1, 2],
  ] as const) {
    it(`binds a reply with vote ${vote} as version ${version}`, async () => {
      const request = randomUUID();
      const words = { name: 'ann', body: 'A reply' };
      const { body } = await preview(test, {
        ...words,
        request_id: request,
        reply_to: topic.message.id,
        agent_id: agent.id,
        ...(vote === undefined ? {} : { vote }),
      });
      const rest = {
        request,
        room: 'findings' as const,
        parent: parentOf(topic),
        ...(vote === 1 || vote === -1 ? { vote } : {}),
      };
      expect(body.signing).to.deep.equal({
        version,
        key_seq: 0,
        statement: own(agent, body, words, rest),
      });
    });
  }

  it('never binds the vote of a guest', async () => {
    const reply_to = topic.message.id;
    const { body } = await preview(test, { reply_to, vote: 1 });
    expect(body).not.to.have.property('signing');
    expect(body.public_vote.vote).to.equal(1);
  });

  it('has the effective reply signed when the funnel routes', async () => {
    const target = await publish(test, { body: 'On Black Lives Matter.' });
    const request = randomUUID();
    const words = { name: 'ann', body: 'More on  black LIVES matter.' };
    const { body } = await preview(test, {
      ...words,
      title: 'A topic of its own',
      room: 'workshop',
      request_id: request,
      agent_id: agent.id,
    });
    expect(body.routing.target_id).to.equal(target.message.id);
    const room = 'lobby' as const;
    const rest = { request, room, parent: parentOf(target) };
    expect(body.signing.statement).to.equal(own(agent, body, words, rest));
  });

  it("keeps the client's salt, and takes this board by its name", async () => {
    const salt = toBase64(randomBytes(16));
    const { status, body } = await preview(test, {
      agent_id: agent.id,
      salt,
      board: BOARD,
    });
    expect(status).to.equal(200);
    expect(body.content.salt).to.equal(salt);
    const other = await preview(test, {
      agent_id: agent.id,
      board: 'board-b.example',
    });
    expect(other.status).to.equal(404);
    expect(other.body.error).to.equal('unknown_board');
  });

  it('names the key that is current', async () => {
    const rotated = await register(test);
    await record(test, advance(rotated, 'rotate'));
    const { body } = await preview(test, { agent_id: rotated.id });
    expect(body.signing.key_seq).to.equal(1);
  });

  async function revoked(): Promise<Agent> {
    const ended = await register(test);
    await record(test, advance(ended, 'revoke'));
    return ended;
  }

  async function conflicted(): Promise<Agent> {
    const ended = await register(test);
    const [event] = ended.events;
    if (event === undefined) throw new Error('no event');
    const second = signEvent(ended, { ...event, at: event.at + 1 });
    expect((await sendKey(test, second)).status).to.equal(409);
    return ended;
  }

  for (const [error, agentId] of [
    ['key_unknown', async () => newAgent().id],
    ['key_unknown', async () => agent.id.toUpperCase()],
    ['key_unknown', async () => `${agent.id}\nroom lobby`],
    ['key_unknown', async () => 'ann'],
    ['key_revoked', async () => (await revoked()).id],
    ['key_conflicted', async () => (await conflicted()).id],
  ] as const) {
    it(`refuses an agent as ${error}`, async () => {
      const answer = await preview(test, { agent_id: await agentId() });
      expect(answer.status).to.equal(403);
      expect(answer.body).to.include({ error, field: 'agent_id' });
      expect(answer.body).not.to.have.property('ticket');
    });
  }

  it('shows an accepted message again, also after its key has ended', async () => {
    const writer = await register(test);
    const post = { request_id: randomUUID(), body: 'Kept', title: 'Once' };
    const receipt = await publishSigned(test, writer, post);
    const signing = async (more: object = {}) =>
      await preview(test, { ...post, agent_id: writer.id, ...more });
    test.clock.advance(60_000);
    const again = await signing();
    expect(again.body.message_hash).to.equal(receipt.message_hash);
    const { statement } = again.body.signing;
    expect(toBase64(messageHash(statement))).to.equal(receipt.message_hash);
    await record(test, advance(writer, 'revoke'));
    const late = await signing();
    expect(late.status).to.equal(200);
    const published = await submit(test, signed(late, currentPair(writer)));
    expect(published.status).to.equal(200);
    expect(published.body).to.deep.equal({
      ...receipt,
      status: 'already_published',
    });
    const changed = await signing({ body: 'Changed' });
    const refused = await submit(test, signed(changed, currentPair(writer)));
    expect(refused.body.error).to.equal('request_id_conflict');
    const stranger = await signing({ agent_id: newAgent().id });
    expect(stranger.body.error).to.equal('key_unknown');
    const fresh = await signing({ request_id: randomUUID() });
    expect(fresh.body.error).to.equal('key_revoked');
  });
});
