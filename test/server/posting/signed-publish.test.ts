import { expect } from 'chai';
import { type Entry, parseEntry, readPost } from '../../../protocol/entry.js';
import {
  type Agent,
  advance,
  currentPair,
  publishSigned,
  record,
  register,
  signed,
} from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { forAllTests } from '../../support/hooks.js';
import { readerOf, readLeaves } from '../../support/log-reader.js';
import { filled, preview, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { type SigningBoard, signingBoard } from './signing-board.js';

describe('POST /write/publish of a signed ticket', () => {
  let board: SigningBoard;
  let test: TestBoard;
  let agent: Agent;
  let root: number;

  forAllTests(signingBoard, (made) => {
    board = made;
    ({ test, agent, root } = board);
  });

  const send: SigningBoard['send'] = (...args) => board.send(...args);
  const previewed: SigningBoard['previewed'] = (...args) =>
    board.previewed(...args);

  async function entryAt(index: number): Promise<Entry> {
    const leaves = await readLeaves(readerOf(test.url), index + 1);
    const entry = parseEntry(leaves[index] ?? '');
    if (!entry.ok || entry.value.type === 'unknown')
      throw new Error('no entry');
    return entry.value;
  }

  it('publishes what was signed and logs the very note', async () => {
    const before = await previewed(agent, { name: 'ann' });
    const answer = await send(signed(before, currentPair(agent)));
    expect(answer.status, answer.text).to.equal(201);
    const { id } = answer.body.message;
    const { baseUrl } = test.board.context.config;
    expect(answer.body.proof_url).to.equal(
      `${baseUrl}/api/messages/${id}/proof`,
    );
    expect(answer.body.message_hash).to.equal(before.body.message_hash);
    const message = await test.as().get(`/api/messages/${id}?full=1`);
    expect(message.body).to.include({
      agent_id: agent.id,
      signature_status: 'signed',
      author: 'ann',
    });
    const entry = await entryAt(answer.body.log.index);
    if (entry.type !== 'post') throw new Error('not a post');
    expect(entry).to.include({ id, root: id, via: null });
    expect(entry).not.to.have.property('voteResult');
    const post = readPost(entry.embedded);
    if (!post.ok) throw new Error(post.reason);
    expect(post.value.text).to.equal(before.body.signing.statement);
    expect(post.value.line?.name).to.equal(agent.id);
    const [row] = await test.board.context.writes.query<{ key_seq: number }>(
      'SELECT key_seq FROM message WHERE id = $1',
      [id],
    );
    expect(row?.key_seq).to.equal(0);
  });

  it('logs whether the vote of a reply was counted', async () => {
    const target = (await publish(test)).message.id;
    for (const [reply_to, vote, result, status, score] of [
      [target, 1, 'counted', 'published', 1],
      [target, -1, 'existing', 'already_voted', 1],
      [target, 1, 'existing', 'already_voted', 1],
    ] as const) {
      const post = { reply_to, vote, body: randomUUID() };
      const receipt = await publishSigned(test, agent, post);
      const entry = await entryAt(receipt.log.index);
      expect(entry).to.include({ type: 'post', voteResult: result });
      expect(receipt.vote).to.include({ message_id: target, status, score });
    }
  });

  it('logs no vote of a guest', async () => {
    const target = (await publish(test)).message.id;
    const receipt = await publish(test, { reply_to: target, vote: 1 });
    expect(receipt.vote?.status).to.equal('published');
    expect(receipt).not.to.have.property('proof_url');
    const entry = await entryAt(receipt.log.index);
    expect(entry).not.to.have.property('voteResult');
    expect(JSON.stringify(entry)).not.to.contain('post/v2');
  });

  it('takes a signed poll and a routed reply', async () => {
    const poll = { question: 'Q?', options: ['a', 'b'] };
    const receipt = await publishSigned(test, agent, { poll });
    expect(receipt.poll).to.have.property('id');
    const target = await publish(test, { body: 'Black Lives Matter first' });
    const routed = await publishSigned(test, agent, {
      body: 'black lives matter second',
    });
    expect(routed.message.root_id).to.equal(target.message.root_id);
  });

  it('answers the receipt before it looks at key or signature', async () => {
    const writer = await register(test);
    const before = await previewed(writer);
    const ticket = signed(before, currentPair(writer));
    const first = await send(ticket);
    expect(first.status).to.equal(201);
    await record(test, advance(writer, 'revoke'));
    const again = { ...first.body, status: 'already_published' };
    for (const retry of [
      ticket,
      filled(before),
      { ...ticket, signature: 'junk' },
      { ...ticket, signature: Buffer.alloc(64).toString('base64') },
    ]) {
      const answer = await send(retry);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal(again);
    }
  });

  it('knows a guest and a signer with one request_id as two contents', async () => {
    const request_id = randomUUID();
    const guest = filled(await preview(test, { request_id }));
    const before = await previewed(agent, { request_id });
    expect((await send(guest)).status).to.equal(201);
    const answer = await send(signed(before, currentPair(agent)));
    expect(answer.status).to.equal(409);
    expect(answer.body.error).to.equal('request_id_conflict');
  });

  it('publishes one message of 100 signed publishes at once', async () => {
    const request_id = randomUUID();
    const tickets = await Promise.all(
      Array.from({ length: 10 }, () => previewed(agent, { request_id })),
    );
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => {
        const before = tickets[at % tickets.length];
        if (before === undefined) throw new Error('no ticket');
        return send(signed(before, currentPair(agent)));
      }),
    );
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).to.deep.equal([...Array(99).fill(200), 201]);
    const hashes = new Set(answers.map(({ body }) => body.message_hash));
    expect(hashes.size).to.equal(1);
  });

  it('is portable without a vote, and not with one', async () => {
    const free = await previewed(agent);
    const away = '192.0.2.77';
    const sent = signed(free, currentPair(agent));
    expect((await send(sent, away)).status).to.equal(201);
    const bound = await previewed(agent, { reply_to: root, vote: -1 });
    const refused = await send(signed(bound, currentPair(agent)), away);
    expect(refused.body.error).to.equal('network_changed');
  });
});
