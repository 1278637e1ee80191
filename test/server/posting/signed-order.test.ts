import {
  type Agent,
  advance,
  currentPair,
  publishSigned,
  record,
  register,
  signed,
} from '../../support/agent.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { type Post, preview, publish, submit } from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import {
  type Fault,
  fault,
  itKeepsTheOrder,
  OTHER_NETWORK,
  REMOVED_TARGET,
} from './fault-order.js';

const LIMITS = {
  ...LIFTED,
  ticket_seconds: 2000,
  keys_per_network_hour: 100_000,
  keys_per_board_hour: 100_000,
};

type Scene = {
  agent: Agent;
  target: number;
  publisher: string;
  send: Record<string, unknown>;
};

/** From `confirm` on, in the order of spec/board.md §5.1. */
const ORDER: Fault<Scene>[] = [
  fault('confirm', 'confirmation_required confirm', (_, scene) => {
    delete scene.send.confirm;
  }),
  OTHER_NETWORK,
  fault('the form of the signature', 'invalid_input signature', (_, scene) => {
    scene.send.signature = String(scene.send.signature).replace(/==$/, '');
  }),
  fault("the key's state", 'key_revoked signature', async (test, { agent }) => {
    await record(test, advance(agent, 'revoke'));
  }),
  fault('the time of the statement', 'stale_statement signature', (test) =>
    test.clock.advance(900_001),
  ),
  fault('the signature', 'signature_invalid signature', (_, scene) => {
    scene.send.signature = Buffer.alloc(64, 1).toString('base64');
  }),
  REMOVED_TARGET,
  fault(
    'the budgets',
    'rate_limited writes_per_key_minute',
    async (test, { agent }) => {
      const reply_to = (await publish(test, {}, freshNetwork())).message.id;
      for (let n = 0; n < 6; n += 1) {
        const post = { reply_to, body: `Reply ${n}` };
        await publishSigned(test, agent, post, freshNetwork());
      }
    },
  ),
];

/** What has to happen first so that each fault meets the others standing. */
const SETUP = [
  'the time of the statement',
  'the budgets',
  "the key's state",
  'the target',
  'the signature',
];

describe('POST /write/publish, signed: the first failing check answers', () => {
  const test = givenBoard({ limits: LIMITS });

  itKeepsTheOrder(test, ORDER, SETUP, async () => {
    const agent = await register(test);
    const target = (await publish(test, {}, freshNetwork())).message.id;
    const publisher = freshNetwork();
    const post: Post = { agent_id: agent.id, reply_to: target, vote: 1 };
    const previewed = await preview(test, post, publisher);
    const send = signed(previewed, currentPair(agent));
    return { agent, target, publisher, send };
  });
});

const {
  topics_per_source_hour: _hour,
  topics_per_source_day: _day,
  ...POSTS
} = LIFTED;

describe('the limits of a signing key', () => {
  // Two a minute for a network: those of the tests write once each.
  const limits = { ...POSTS, writes_per_network_minute: 2 };
  const test = givenBoard({ limits });
  let agent: Agent;
  let root: number;

  beforeEach(async () => {
    agent = await register(test, { from: freshNetwork() });
    root = (await publish(test, {}, freshNetwork())).message.id;
  });

  async function tickets(count: number, post: Post) {
    return await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const from = freshNetwork();
        const words = { agent_id: agent.id, body: `Body ${at}`, ...post };
        const previewed = await preview(test, words, from);
        return { from, send: signed(previewed, currentPair(agent)) };
      }),
    );
  }

  async function publishAll(all: Awaited<ReturnType<typeof tickets>>) {
    const answers = await Promise.all(
      all.map(({ from, send }) => submit(test, send, from)),
    );
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const name = body.scope ?? String(status);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return { answers, counts };
  }

  it('lets 3 of 20 topics at once pass, whatever the networks', async () => {
    const { answers, counts } = await publishAll(await tickets(20, {}));
    expect(counts).to.deep.equal({ 201: 3, topics_per_source_hour: 17 });
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused?.status).to.equal(429);
    expect(refused?.body.error).to.equal('topic_budget_exhausted');
    expect(refused?.body.suggested_action.method).to.equal('POST');
    const reply = { reply_to: root };
    await publishSigned(test, agent, reply, freshNetwork());
  });

  it('leaves other keys and guests alone', async () => {
    const { counts } = await publishAll(await tickets(7, { reply_to: root }));
    expect(counts).to.deep.equal({ 201: 6, writes_per_key_minute: 1 });
    await publish(test, { reply_to: root }, freshNetwork());
    const other = await register(test, { from: freshNetwork() });
    await publishSigned(test, other, { reply_to: root }, freshNetwork());
  });

  it('spends the budgets of the network beside those of the key', async () => {
    const from = freshNetwork();
    for (let n = 0; n < 2; n += 1) {
      const post = { reply_to: root, body: `Body ${n}` };
      await publishSigned(test, agent, post, from);
    }
    await preview(test, { reply_to: root }, from).expect(200);
    const third = await preview(
      test,
      { reply_to: root, agent_id: agent.id },
      from,
    );
    const answer = await submit(test, signed(third, currentPair(agent)), from);
    expect(answer.body.scope).to.equal('writes_per_network_minute');
  });
});
