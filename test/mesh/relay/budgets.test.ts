import {
  type Agent,
  currentPair,
  newAgent,
  publishSigned,
  register,
  sendKey,
  signed,
} from '../../support/agent.js';
import { preview } from '../../support/post.js';
import { freshNetwork, randomBytes } from '../../support/random.js';
import { pull } from '../boards/support/pull.js';
import {
  type HandIn,
  handIn,
  parentOf,
  postVia,
  relayBody,
  send,
} from './hand-in.js';
import { A, givenLinked, type LinkedOptions } from './linked-boards.js';

/** Two boards of which each test has an hour, and a network, to itself. */
function givenBudgets(options: LinkedOptions) {
  const scene = givenLinked(options);
  let network: Buffer;
  beforeEach(() => {
    network = randomBytes(16);
    scene.clock.advance(3_600_000);
  });
  const inNetwork = (it: HandIn = {}): HandIn => ({
    relay: { network },
    ...it,
  });
  /** How many of `tries` are published, and why the next was not. */
  const take = async (tries: number, it: () => HandIn, by?: () => Agent) => {
    const agent = newAgent();
    for (let done = 0; done < tries; done += 1) {
      const answer = await handIn(scene, by?.() ?? agent, it());
      if (answer.status !== 201) {
        const { error, scope, retry_after_seconds: after } = answer.body;
        return { done, error, scope, after };
      }
    }
    return { done: tries };
  };
  return { scene, inNetwork, take };
}

describe('the budgets of relayed posts at their board', () => {
  const { scene, inNetwork, take } = givenBudgets({
    limitsA: {
      publish_attempts_per_network_minute: 5,
      writes_per_network_minute: 2,
      topics_per_source_hour: 1,
      writes_per_key_minute: 2,
      writes_per_board_minute: 4,
    },
  });

  const givenReplies = async (): Promise<HandIn> => {
    const { a } = scene;
    const parent = parentOf(await publishSigned(a, await register(a)));
    return { statement: { parent } };
  };

  it('the normal limits of the network, by its tag', async () => {
    const reply = await givenReplies();
    expect(await take(2, inNetwork, newAgent)).to.include({
      done: 1,
      error: 'topic_budget_exhausted',
      scope: 'topics_per_source_hour',
    });
    expect(await take(2, () => inNetwork(reply), newAgent)).to.include({
      done: 1,
      scope: 'writes_per_network_minute',
    });
    // Another tag is another network.
    expect(await take(1, () => ({}), newAgent)).to.include({ done: 1 });
  });

  it('those of the key, and of the whole board', async () => {
    const reply = await givenReplies();
    expect(await take(3, () => reply)).to.include({
      done: 2,
      scope: 'writes_per_key_minute',
    });
    expect(await take(2, () => reply, newAgent)).to.include({
      done: 1,
      scope: 'writes_per_board_minute',
    });
  });

  it('exact retries spend attempts only', async () => {
    const { a, agent } = scene;
    const body = relayBody(scene, agent, inNetwork());
    const first = await send(a, body);
    expect(first.status, first.text).to.equal(201);
    for (let retry = 0; retry < 3; retry += 1) {
      expect((await send(a, body)).status).to.equal(200);
    }
    const reply = inNetwork({ statement: { parent: parentOf(first.body) } });
    expect((await handIn(scene, agent, reply)).status).to.equal(201);
    const sixth = await send(a, body);
    expect(sixth.status).to.equal(429);
    expect(sixth.body.scope).to.equal('publish_attempts_per_network_minute');
  });

  it('a forged note spends nobody’s attempts', async () => {
    const { node } = scene.a.board.context.keys;
    for (let forged = 0; forged < 5; forged += 1) {
      const answer = await handIn(scene, scene.agent, inNetwork({ node }));
      expect(answer.body.error).to.equal('signature_invalid');
    }
    const { status } = await handIn(scene, scene.agent, inNetwork());
    expect(status).to.equal(201);
  });
});

describe('the keys that one peer brings', () => {
  const { scene, take } = givenBudgets({
    limitsA: { keys_per_board_hour: 10 },
  });

  it('are at most a fifth of the board’s, and keep no other away', async () => {
    expect(await take(4, () => ({}), newAgent)).to.include({
      done: 2,
      scope: 'keys_per_board_hour',
    });
    const note = newAgent().notes[0];
    await sendKey(scene.a, note, '203.0.113.7').expect(201);
  });
});

describe('the budgets of relayed posts by their node', () => {
  const { scene, inNetwork, take } = givenBudgets({
    limitsA: {
      mesh_relay_per_peer_minute: 3,
      mesh_relay_per_peer_hour: 4,
      keys_per_network_hour: 1,
    },
    limitsB: { writes_per_network_minute: 2, topics_per_source_hour: 2 },
  });

  it('so many a minute and so many an hour of one peer', async () => {
    expect(await take(4, () => ({}), newAgent)).to.deep.equal({
      done: 3,
      error: 'rate_limited',
      scope: 'mesh_relay_per_peer_minute',
      after: 60,
    });
    scene.clock.advance(60_000);
    expect(await take(2, () => ({}), newAgent)).to.deep.equal({
      done: 1,
      error: 'rate_limited',
      scope: 'mesh_relay_per_peer_hour',
      after: 3540,
    });
    scene.clock.advance(3_540_000);
    expect(await take(1, () => ({}), newAgent)).to.deep.equal({ done: 1 });
  });

  it('those of recorded keys', async () => {
    expect(await take(2, inNetwork, newAgent)).to.include({
      done: 1,
      scope: 'keys_per_network_hour',
    });
    expect(await take(1, () => ({}), newAgent)).to.include({ done: 1 });
  });

  it('at the node of the agent: its network’s, and only for publications', async () => {
    const { a, b, agent } = scene;
    await scene.set(a, { trust: 'mirror' });
    for (let refused = 0; refused < 3; refused += 1) {
      expect((await postVia(b, agent)).answer.status).to.equal(502);
    }
    await scene.set(a, { trust: 'relay' });
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
    const { b, agent } = scene;
    const home = freshNetwork();
    const road = freshNetwork();
    for (const from of [home, road]) {
      const one = await postVia(b, agent, { title: 'One of two' }, from);
      expect(one.answer.status, one.answer.text).to.equal(201);
    }
    const previewed = await preview(
      b,
      { agent_id: agent.id, board: A, title: 'Travelled' },
      home,
    );
    const answer = await b.post(
      '/write/publish',
      signed(previewed, currentPair(agent)),
      road,
    );
    expect(answer.status, answer.text).to.equal(201);
    await pull(b, scene.a);
    const reply = { reply_to: answer.body.message.id };
    for (const from of [home, road]) {
      const next = await postVia(b, agent, reply, from);
      expect(next.answer.status).to.equal(429);
      expect(next.answer.body.scope).to.equal('writes_per_network_minute');
    }
  });

  it('tells the agent at once what its board has no room for, and waits after', async () => {
    const { b, clock, agent } = scene;
    expect(await take(2, () => ({}), newAgent)).to.include({ done: 2 });
    expect((await postVia(b, agent)).answer.status).to.equal(201);
    const second = await postVia(b, agent);
    expect(second.answer.status).to.equal(502);
    expect(second.answer.body.error).to.equal('origin_rejected');
    expect(second.answer.body.retry_after_seconds).to.equal(60);
    expect(second.answer.body.origin_error).to.include({
      error: 'rate_limited',
      scope: 'mesh_relay_per_peer_minute',
    });
    await scene.away();
    const { post } = await postVia(b, agent, { title: 'Patient' });
    await scene.back();
    const { outbox, stateOf } = scene;
    clock.advance(2000);
    expect(await outbox().runOnce()).to.equal(1);
    expect((await stateOf(post.request_id)).status).to.equal('relay_pending');
    clock.advance(57_000);
    expect(await outbox().runOnce()).to.equal(0);
    clock.advance(2000);
    expect(await outbox().runOnce()).to.equal(1);
    expect((await stateOf(post.request_id)).status).to.equal('published');
    clock.advance(3_600_000);
    const later = await postVia(b, agent, second.post);
    expect(later.answer.status, later.answer.text).to.equal(201);
  });

  it('tags name a network for one day only, and tell nothing of it', async () => {
    const { networkKeys } = scene.b.board.context;
    const address = Buffer.from([203, 0, 113, 1]);
    const today = await networkKeys.relayTags(address);
    const counters = await networkKeys.counterKeys(address);
    expect(today.today).to.have.length(16);
    expect(counters.today.includes(today.today)).to.equal(false);
    scene.clock.advance(86_400_000);
    const next = await networkKeys.relayTags(address);
    expect(next.today.equals(today.tomorrow)).to.equal(true);
    expect(next.today.equals(today.today)).to.equal(false);
  });
});
