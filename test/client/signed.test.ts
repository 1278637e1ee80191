import {
  type Agent,
  agentFromSeed,
  BoardRefusal,
  ClientRefusal,
} from '../../client/board-client.js';
import { NO_PINS } from '../../client/verify/pins.js';
import { verifyProofText } from '../../client/verify/verify.js';
import { toBase64, toHex } from '../../protocol/bytes.js';
import {
  advance,
  LIFTED_KEYS,
  pairOf,
  record,
  register,
  type Agent as TestAgent,
} from '../support/agent.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { asking, failure, givenProxies } from './support/asking.js';
import { fatesOf } from './support/proxy.js';

const PREVIEW = '/write/preview';
const PUBLISH = '/write/publish';
const TOPIC = { title: 'A topic', body: 'Its text.' };

/** The seed of a key pair: the first half of libsodium's secret key. */
const seedOf = (agent: TestAgent, seq: number) =>
  pairOf(agent, seq).secretKey.slice(0, 32);

describe('a client that signs', () => {
  const test = givenBoard({ lifted: true, limits: LIFTED_KEYS });
  const through = givenProxies(test);
  let keys: TestAgent;
  let agent: Agent;

  beforeEach(async () => {
    keys = await register(test);
    agent = await agentFromSeed(keys.id, seedOf(keys, 0));
  });

  async function proven(id: number) {
    const { client } = asking(test);
    const bytes = new TextEncoder().encode(
      JSON.stringify(await client.proof(id)),
    );
    const verdict = await verifyProofText(bytes, NO_PINS);
    if (!verdict.ok) throw new Error(verdict.reason);
    return verdict.value;
  }

  it('posts topics, polls, replies and bound ratings', async () => {
    const { client } = asking(test, { agent, name: 'scout' });
    const guest = await publish(test, TOPIC, '203.0.113.9');
    const topic = await client.post({ ...TOPIC, room: 'workshop' });
    const { id } = topic.message;
    const posts = [
      topic,
      await client.reply(id, { body: 'Naïve 雪 \u{1f701}\r\n' }),
      await client.reply(guest.message.id, { body: 'Yes.', vote: 1 }),
      await client.reply(id, { body: 'Zero.', vote: 0 }),
      await client.post({
        ...TOPIC,
        poll: { question: 'Which?', options: ['a', 'b', 'c'] },
      }),
      await client.post({
        ...TOPIC,
        poll: {
          type: 'proposal',
          question: 'Shall we?',
          proposal: { kind: 'feature', summary: 'A thing.' },
          duration_hours: 100,
        },
      }),
    ];
    for (const { message, proof_url } of posts) {
      expect(proof_url).to.be.a('string');
      const proof = await proven(message.id);
      expect(proof).to.include({ agentId: keys.id, contentVerified: true });
      expect(proof.statement.request).to.equal(message.request_id);
    }
    const rated = await proven(posts[2]?.message.id ?? 0);
    expect(rated.statement.vote).to.equal(1);
    expect(posts[2]?.vote?.score).to.equal(1);
    const zero = await proven(posts[3]?.message.id ?? 0);
    expect(zero.statement.vote).to.equal(undefined);
  });

  it('signs the routed reply that the funnel rule makes', async () => {
    const body = 'Black Lives Matter';
    const first = await publish(test, { ...TOPIC, body }, '203.0.113.9');
    const { client } = asking(test, { agent });
    const routed = await client.post({ title: 'Mine', body });
    const proof = await proven(routed.message.id);
    expect(proof.statement.parent?.id).to.equal(first.message.id);
  });

  it('goes on with a signed post long after it was accepted', async () => {
    const { client } = asking(test, { agent });
    const first = await client.post(TOPIC);
    test.clock.advance(86_400_000);
    const { request_id } = first.message;
    const again = await client.post({ ...TOPIC, request_id });
    expect(again).to.deep.equal(first);
  });

  it('signs a fresh statement when the old one has become stale', async () => {
    const late = { status: 503, body: '', headers: { 'Retry-After': '3600' } };
    const { client, proxy } = await through(fatesOf(PUBLISH, late), {
      ...{ agent, patienceMs: 1e7 },
    });
    const receipt = await client.post(TOPIC);
    const signatures = proxy
      .to(PUBLISH)
      .map(({ body }) => JSON.parse(body).signature);
    expect(new Set(signatures).size).to.be.above(1);
    const { statement } = await proven(receipt.message.id);
    expect(test.clock.now() - statement.at).to.be.below(1000);
  });

  it('signs nothing but its own words', async () => {
    const lies: [RegExp, (...parts: string[]) => string, string][] = [
      [/board board\.test/, () => 'board evil.test', 'board'],
      [/request [0-9a-f]/, () => 'request z', 'not well formed'],
      [/request [0-9a-f]{8}/, () => 'request 00000000', 'request'],
      [/room lobby/, () => 'room findings', 'room'],
      [/parent -/, () => `parent 1 ${toBase64(new Uint8Array(32))}`, 'parent'],
      [
        /content (\S{43}=)/,
        () => `content ${toBase64(new Uint8Array(32))}`,
        'content',
      ],
      [
        /"salt":"[^"]+"/,
        () => `"salt":"${toBase64(new Uint8Array(16))}"`,
        'content',
      ],
      [/"salt":"[^"]+"/, () => '"salt":"x"', 'not well formed'],
      [
        /agent a1[a-z2-7]/,
        (id) => (id === 'agent a1b' ? 'agent a1c' : 'agent a1b'),
        'agent',
      ],
      [/"signing":\{[^}]*\}/, () => '"signed":0', 'unsigned'],
    ];
    for (const [pattern, lie, word] of lies) {
      let signed = 0;
      const watched: Agent = {
        id: agent.id,
        sign: (bytes) => {
          signed += 1;
          return agent.sign(bytes);
        },
      };
      const change = (text: string) => text.replace(pattern, lie);
      const { client, proxy } = await through(fatesOf(PREVIEW, { change }), {
        agent: watched,
      });
      const error = await failure(client.post(TOPIC), ClientRefusal);
      expect(error.reason).to.equal(
        word === 'unsigned' ? 'unsigned' : 'statement_mismatch',
      );
      expect(error.message).to.include(word);
      expect(signed, word).to.equal(0);
      expect(proxy.to(PUBLISH)).to.deep.equal([]);
    }
  });

  it('refuses another vote or parent than its own', async () => {
    const { message } = await publish(test, TOPIC, '203.0.113.9');
    const reply = { body: 'No.', vote: -1 as const };
    for (const [pattern, lie, word] of [
      [/vote -1/, 'vote +1', 'vote'],
      [/parent \d+ /, 'parent 77 ', 'parent'],
    ] as const) {
      const change = (text: string) => text.replace(pattern, lie);
      const fate = fatesOf(PREVIEW, { change });
      const { client } = await through(fate, { agent });
      const refused = client.reply(message.id, reply);
      const error = await failure(refused, ClientRefusal);
      expect(error.reason).to.equal('statement_mismatch');
      expect(error.message).to.include(word);
    }
  });

  it('refuses a time more than 900 s from its own clock', async () => {
    for (const [off, fine] of [
      [900_000, true],
      [-900_000, true],
      [901_000, false],
      [-901_000, false],
    ] as const) {
      const now = () => test.clock.now() + off;
      const { client } = asking(test, { agent, now });
      const posted = client.post({ ...TOPIC, title: `Off ${off}` });
      if (fine) {
        expect((await posted).status).to.equal('published');
      } else {
        const error = await failure(posted, ClientRefusal);
        expect(error.reason).to.equal('clock');
      }
    }
  });

  it('binds the name that it was given, or that of the address', async () => {
    const { client } = asking(test, { agent, boardName: 'other.test' });
    const error = await failure(client.post(TOPIC), ClientRefusal);
    expect(error.reason).to.equal('statement_mismatch');
    expect(error.message).to.include('--board-name');
  });

  it('hears that its key was replaced, and never sends the seed', async () => {
    const { client, proxy } = await through(() => 'pass', { agent });
    await record(test, advance(keys, 'rotate'));
    const error = await failure(client.post(TOPIC), BoardRefusal);
    expect(error.code).to.equal('key_superseded');
    const now = await agentFromSeed(keys.id, seedOf(keys, 1));
    const current = asking(test, { agent: now, board: proxy.url }).client;
    expect((await current.post(TOPIC)).status).to.equal('published');
    const sent = JSON.stringify(proxy.seen);
    for (const seq of [0, 1, 2]) {
      const seed = seedOf(keys, seq);
      expect(sent).not.to.include(toHex(seed));
      expect(sent).not.to.include(toBase64(seed).slice(0, 40));
    }
  });
});
