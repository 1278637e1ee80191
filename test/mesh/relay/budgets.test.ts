import { expect } from 'chai';
import type { LimitName } from '../../../server/limits.js';
import {
  type Agent,
  currentPair,
  newAgent,
  publishSigned,
  register,
  signed,
} from '../../support/agent.js';
import { preview } from '../../support/post.js';
import { randomBytes } from '../../support/random.js';
import { type HandIn, handIn, postVia, relayBody, send } from './hand-in.js';
import { A, type Linked, linkedBoards } from './linked-boards.js';

type Bounds = Partial<Record<LimitName, number>>;

describe('the budgets of relayed posts', () => {
  let boards: Linked;

  afterEach(() => boards.stop());

  const start = async (limitsA: Bounds, limitsB: Bounds = {}) => {
    boards = await linkedBoards({ limitsA, limitsB });
  };

  /** How many of `tries` are published, and why the next was not. */
  const take = async (tries: number, it: () => HandIn, by?: () => Agent) => {
    const agent = newAgent();
    for (let done = 0; done < tries; done += 1) {
      const answer = await handIn(boards, by?.() ?? agent, it());
      if (answer.status !== 201) {
        const { error, scope, retry_after_seconds: after } = answer.body;
        return { done, error, scope, after };
      }
    }
    return { done: tries };
  };

  const network = randomBytes(16);
  const oneNetwork = (): HandIn => ({ relay: { network } });

  it('10 a minute and 120 an hour of one peer', async () => {
    await start({
      mesh_relay_per_peer_minute: 10,
      mesh_relay_per_peer_hour: 12,
    });
    const { clock } = boards;
    expect(await take(11, () => ({}), newAgent)).to.deep.equal({
      done: 10,
      error: 'rate_limited',
      scope: 'mesh_relay_per_peer_minute',
      after: 60,
    });
    clock.advance(60_000);
    expect(await take(3, () => ({}), newAgent)).to.deep.equal({
      done: 2,
      error: 'rate_limited',
      scope: 'mesh_relay_per_peer_hour',
      after: 3540,
    });
    clock.advance(3_540_000);
    expect(await take(1, () => ({}), newAgent)).to.deep.equal({ done: 1 });
  });

  it('the normal limits of the network, by its tag', async () => {
    await start({ writes_per_network_minute: 2, topics_per_source_hour: 1 });
    const replies = await publishSigned(boards.a, await register(boards.a));
    const parent = {
      id: replies.message.id,
      hash: Buffer.from(replies.message_hash, 'base64'),
    };
    const reply = (): HandIn => ({
      relay: { network },
      statement: { parent },
    });
    const topic = await take(2, oneNetwork, newAgent);
    expect(topic).to.include({
      done: 1,
      error: 'topic_budget_exhausted',
      scope: 'topics_per_source_hour',
    });
    expect(await take(2, reply, newAgent)).to.include({
      done: 1,
      scope: 'writes_per_network_minute',
    });
    // Another tag is another network.
    expect(await take(1, () => ({}), newAgent)).to.include({ done: 1 });
  });

  it('those of the key, and of the whole board', async () => {
    await start({ writes_per_key_minute: 2, writes_per_board_minute: 3 });
    expect(await take(3, () => ({}))).to.include({
      done: 2,
      scope: 'writes_per_key_minute',
    });
    expect(await take(2, () => ({}), newAgent)).to.include({
      done: 1,
      scope: 'writes_per_board_minute',
    });
  });

  it('those of recorded keys', async () => {
    await start({ keys_per_network_hour: 1 });
    expect(await take(2, oneNetwork, newAgent)).to.include({
      done: 1,
      scope: 'keys_per_network_hour',
    });
    expect(await take(1, () => ({}), newAgent)).to.include({ done: 1 });
  });

  it('exact retries spend attempts only', async () => {
    await start({
      publish_attempts_per_network_minute: 5,
      writes_per_network_minute: 2,
    });
    const agent = newAgent();
    const body = relayBody(boards, agent, oneNetwork());
    expect((await send(boards.a, body)).status).to.equal(201);
    for (let retry = 0; retry < 3; retry += 1) {
      expect((await send(boards.a, body)).status).to.equal(200);
    }
    expect((await handIn(boards, agent, oneNetwork())).status).to.equal(201);
    const sixth = await send(boards.a, body);
    expect(sixth.status).to.equal(429);
    expect(sixth.body.scope).to.equal('publish_attempts_per_network_minute');
  });

  it('a forged note spends nobody’s attempts', async () => {
    await start({ publish_attempts_per_network_minute: 1 });
    const agent = newAgent();
    const { node } = boards.a.board.context.keys;
    for (let forged = 0; forged < 5; forged += 1) {
      const answer = await handIn(boards, agent, { node });
      expect(answer.body.error).to.equal('signature_invalid');
    }
    expect((await handIn(boards, agent)).status).to.equal(201);
  });

  it('at the node of the agent: its network’s, and only for publications', async () => {
    await start(
      {},
      { writes_per_network_minute: 2, topics_per_source_hour: 2 },
    );
    const { a, b } = boards;
    const agent = await register(b);
    const set = (trust: string) =>
      a.board.context.writes.query('UPDATE peer SET trust = $1', [trust]);
    await set('mirror');
    for (let refused = 0; refused < 3; refused += 1) {
      expect((await postVia(b, agent)).answer.status).to.equal(502);
    }
    await set('relay');
    const first = await postVia(b, agent, { title: 'One' });
    expect(first.answer.status, first.answer.text).to.equal(201);
    // A retry spends nothing; a local post the same budget.
    const again = await postVia(b, agent, first.post);
    expect(again.answer.status).to.equal(200);
    for (const { headers } of [first.answer, again.answer]) {
      expect(headers.ratelimit).to.equal(
        '"writes_per_network_minute";r=1;t=60, "topics_per_source_hour";r=1;t=3600',
      );
    }
    await publishSigned(b, agent, { title: 'Here' });
    const third = await postVia(b, agent, { title: 'Three' });
    expect(third.answer.status).to.equal(429);
    expect(third.answer.body.error).to.equal('topic_budget_exhausted');
    const elsewhere = await postVia(b, agent, { title: 'Four' }, '192.0.2.7');
    expect(elsewhere.answer.status, elsewhere.answer.text).to.equal(201);
  });

  it('both networks of a ticket that travelled', async () => {
    await start({}, { writes_per_network_minute: 1 });
    const { b } = boards;
    const agent = await register(b);
    const home = '192.0.2.1';
    const road = '192.0.2.2';
    const previewed = await preview(
      b,
      { agent_id: agent.id, board: A, title: 'Travelled' },
      home,
    );
    const answer = await b
      .as(road)
      .post('/write/publish')
      .send(signed(previewed, currentPair(agent)));
    expect(answer.status, answer.text).to.equal(201);
    for (const from of [home, road]) {
      const next = await postVia(b, agent, { title: 'Next' }, from);
      expect(next.answer.status).to.equal(429);
      expect(next.answer.body.scope).to.equal('writes_per_network_minute');
    }
  });

  it('tells the agent at once what its board has no room for', async () => {
    await start({ mesh_relay_per_peer_minute: 1 });
    const { b } = boards;
    const agent = await register(b);
    expect((await postVia(b, agent)).answer.status).to.equal(201);
    const second = await postVia(b, agent);
    expect(second.answer.status).to.equal(502);
    expect(second.answer.body.error).to.equal('origin_rejected');
    expect(second.answer.body.retry_after_seconds).to.equal(60);
    expect(second.answer.body.origin_error).to.include({
      error: 'rate_limited',
      scope: 'mesh_relay_per_peer_minute',
    });
    boards.clock.advance(60_000);
    const later = await postVia(b, agent, second.post);
    expect(later.answer.status, later.answer.text).to.equal(201);
  });

  it('tags name a network for one day only, and tell nothing of it', async () => {
    await start({});
    const { b, clock } = boards;
    const { networkKeys } = b.board.context;
    const address = Buffer.from([203, 0, 113, 1]);
    const today = await networkKeys.relayTags(address);
    const counters = await networkKeys.counterKeys(address);
    expect(today.today).to.have.length(16);
    expect(counters.today.includes(today.today)).to.equal(false);
    clock.advance(86_400_000);
    const next = await networkKeys.relayTags(address);
    expect(next.today.equals(today.tomorrow)).to.equal(true);
    expect(next.today.equals(today.today)).to.equal(false);
  });
});
