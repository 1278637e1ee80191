import type { Response } from 'supertest';
import { toBase64, utf8 } from '../../../protocol/bytes.js';
import { type Entry, parseEntry, readPost } from '../../../protocol/entry.js';
import { signBytes } from '../../../protocol/signing.js';
import { AgentKey } from '../../../server/db/entities/agent-key.js';
import { Message } from '../../../server/db/entities/message.js';
import {
  type Agent,
  advance,
  currentPair,
  freshPair,
  pairOf,
  publishSigned,
  record,
  register,
  sendKey,
  signEvent,
  signed,
} from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { readerOf, readLeaves } from '../../support/log-reader.js';
import { filled, preview, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { untilWaiting } from '../polls/until-waiting.js';
import { expectRefusal, invalid, unknown } from './refusals.js';
import { signingBoard } from './signing-board.js';

const AGE_MS = 900_000;
/** The order of the group, little endian, to add to a signature's S. */
const L = Buffer.from(
  'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010',
  'hex',
);

/** S + L: the same point for whoever does not check the range of S. */
function malleated(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  let carry = 0;
  for (let at = 0; at < 32; at += 1) {
    const sum = (bytes[32 + at] ?? 0) + (L[at] ?? 0) + carry;
    bytes[32 + at] = sum & 0xff;
    carry = sum >> 8;
  }
  return bytes.toString('base64');
}

describe('POST /write/publish of a signed ticket', () => {
  const { test, agent, topic, send, previewed } = given(signingBoard);

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
    const row = await rows(test).findOneByOrFail(Message, { id });
    expect(row.keySeq).to.equal(0);
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
    const first = await send(ticket).expect(201);
    await record(test, advance(writer, 'revoke'));
    const again = { ...first.body, status: 'already_published' };
    for (const retry of [
      ticket,
      filled(before),
      { ...ticket, signature: 'junk' },
      { ...ticket, signature: Buffer.alloc(64).toString('base64') },
    ]) {
      const answer = await send(retry).expect(200);
      expect(answer.body).to.deep.equal(again);
    }
  });

  it('knows a guest and a signer with one request_id as two contents', async () => {
    const request_id = randomUUID();
    const guest = filled(await preview(test, { request_id }));
    const before = await previewed(agent, { request_id });
    expect((await send(guest)).status).to.equal(201);
    const answer = await send(signed(before, currentPair(agent))).expect(409);
    expect(answer.body.error).to.equal('request_id_conflict');
  });

  const illFormed: [string, unknown][] = [
    ['no signature', undefined],
    ['an empty one', ''],
    ['the placeholder', 'YOUR_SIGNATURE'],
    ['a number', 5],
    ['null', null],
    ['63 bytes', Buffer.alloc(63).toString('base64')],
    ['65 bytes', Buffer.alloc(65).toString('base64')],
    ['hex', Buffer.alloc(64).toString('hex')],
    ['base64 without padding', 'A'.repeat(86)],
    ['base64url', `${'_'.repeat(84)}_w==`],
    ['trailing bits', `${'A'.repeat(85)}B==`],
    ['white space', ` ${Buffer.alloc(64).toString('base64')}`],
  ];
  for (const [why, signature] of illFormed) {
    it(`refuses ${why} as invalid_input`, async () => {
      const ticket = filled(await previewed(agent));
      const answer = await send({ ...ticket, signature });
      expectRefusal(answer, invalid('signature'));
    });
  }

  it('takes no signature with the ticket of a guest', async () => {
    const ticket = filled(await preview(test, {}));
    const signature = Buffer.alloc(64).toString('base64');
    for (const sent of [signature, '', 'junk']) {
      const answer = await send({ ...ticket, signature: sent });
      expectRefusal(answer, unknown('signature'));
    }
    expect((await send(ticket)).status).to.equal(201);
  });

  const forgeries: Record<string, (text: string) => string> = {
    'another key': (text) => toBase64(signBytes(utf8(text), freshPair())),
    'another text': (text) =>
      toBase64(signBytes(utf8(text.trimEnd()), currentPair(agent))),
    'the other board': (text) =>
      toBase64(
        signBytes(
          utf8(text.replace('board.test', 'board-b.test')),
          currentPair(agent),
        ),
      ),
    'the key that is only next': (text) =>
      toBase64(signBytes(utf8(text), pairOf(agent, 1))),
    'S + L': (text) =>
      malleated(toBase64(signBytes(utf8(text), currentPair(agent)))),
    zeros: () => Buffer.alloc(64).toString('base64'),
    'the opposite vote': (text) =>
      toBase64(
        signBytes(utf8(text.replace('vote +1', 'vote -1')), currentPair(agent)),
      ),
  };
  for (const [why, forge] of Object.entries(forgeries)) {
    it(`refuses a signature of ${why} as signature_invalid`, async () => {
      const before = await previewed(agent, {
        reply_to: topic.message.id,
        vote: 1,
      });
      const { statement } = before.body.signing;
      const answer = await send({
        ...filled(before),
        signature: forge(statement),
      });
      expectRefusal(answer, {
        status: 403,
        error: 'signature_invalid',
        field: 'signature',
      });
    });
  }

  it('ends the use of a key for tickets previewed before its rotation', async () => {
    const writer = await register(test);
    const before = await previewed(writer);
    await record(test, advance(writer, 'rotate'));
    const old = await send(signed(before, pairOf(writer, 0)));
    expectRefusal(old, {
      status: 403,
      error: 'key_superseded',
      field: 'signature',
    });
    const next = await send(signed(before, pairOf(writer, 1))).expect(201);
    const proof = await test.as().get(new URL(next.body.proof_url).pathname);
    expect(proof.body.key_seq).to.equal(1);
    expect(proof.body.keys).to.deep.equal(writer.notes);
  });

  for (const [error, end] of [
    ['key_revoked', async (one: Agent) => record(test, advance(one, 'revoke'))],
    [
      'key_conflicted',
      async (one: Agent) => {
        const [event] = one.events;
        if (event === undefined) throw new Error('no event');
        await sendKey(test, signEvent(one, { ...event, at: event.at + 1 }));
      },
    ],
  ] as const) {
    it(`refuses tickets of a key that ended as ${error}`, async () => {
      const writer = await register(test);
      const pair = currentPair(writer);
      const before = await previewed(writer);
      await end(writer);
      const answer = await send(signed(before, pair)).expect(403);
      expect(answer.body.error).to.equal(error);
    });
  }

  it('refuses a statement more than 900 s from the clock, either way', async () => {
    const late = await previewed(agent);
    const start = test.clock.now();
    test.clock.advance(AGE_MS + 1);
    const stale = await send(signed(late, currentPair(agent))).expect(400);
    expect(stale.body.error).to.equal('stale_statement');
    test.clock.set(start + AGE_MS);
    expect((await send(signed(late, currentPair(agent)))).status).to.equal(201);
    const early = await previewed(agent);
    test.clock.advance(-AGE_MS - 1);
    const ahead = await send(signed(early, currentPair(agent)));
    expect(ahead.body.error).to.equal('stale_statement');
    test.clock.advance(1);
    await send(signed(early, currentPair(agent))).expect(201);
    test.clock.set(start + AGE_MS);
  });

  const states: [string, Partial<AgentKey>][] = [
    ['key_revoked', { status: 'revoked', next: null }],
    ['key_conflicted', { status: 'conflicted' }],
    ['key_superseded', { keySeq: 1, publicKey: Buffer.alloc(32, 9) }],
  ];
  for (const [error, change] of states) {
    it(`publishes nothing by a key that turned ${error} while the message waited for the lock`, async () => {
      const writer = await register(test);
      const before = await previewed(writer);
      let waiting: Promise<Response> | undefined;
      await rows(test).transaction(async (tx) => {
        await tx.query(
          'SELECT 1 FROM log_state WHERE origin_id = 0 FOR UPDATE',
        );
        // supertest sends only once it is awaited.
        waiting = send(signed(before, currentPair(writer))).then((it) => it);
        await untilWaiting(test, waiting);
        await tx.update(AgentKey, { agentId: writer.id }, change);
      });
      const answer = await waiting;
      expect(answer?.status, answer?.text).to.equal(403);
      expect(answer?.body).to.include({ error, field: 'signature' });
      const path = `/api/requests/${before.body.request_id}`;
      expect((await test.as().get(path)).status).to.equal(404);
    });
  }

  it('never logs a post below the event that ended its key', async () => {
    const agents = await Promise.all(
      Array.from({ length: 20 }, () => register(test)),
    );
    const outcomes = await Promise.all(
      agents.map(async (agent, at) => {
        const ticket = signed(await previewed(agent), currentPair(agent));
        const publishing = send(ticket);
        const rotating = advance(agent, at % 2 ? 'rotate' : 'revoke');
        const [answer] = await Promise.all([
          publishing,
          record(test, rotating),
        ]);
        return answer.body.error ?? answer.body.status;
      }),
    );
    // Whoever came first: `checkLedger` replays every key at every post.
    for (const outcome of outcomes) {
      expect(outcome).to.be.oneOf([
        ...['published', 'key_revoked', 'key_superseded'],
      ]);
    }
  });
});
