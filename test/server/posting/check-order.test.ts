import { DAY_MS } from '../../../server/clock.js';
import { lockScope, wrongAnswer } from '../../../server/tickets/ticket.js';
import type { TestBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  type Post,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { freshNetwork, randomBytes, randomUUID } from '../../support/random.js';
import {
  type Fault,
  fault,
  itKeepsTheOrder,
  OTHER_NETWORK,
  REMOVED_TARGET,
} from './fault-order.js';

const ATTEMPTS = 3;

type Scene = {
  requestId: string;
  target: number;
  previewer: string;
  publisher: string;
  send: Record<string, unknown>;
};

/** By spec/board.md §5.1, as far as a guest's reply with a vote goes. */
const ORDER: Fault<Scene>[] = [
  fault('the body', 'unknown_field extra', (_, scene) => {
    scene.send.extra = 1;
  }),
  fault(
    'the attempts',
    'rate_limited publish_attempts_per_network_minute',
    async (test, { publisher }) => {
      for (let n = 0; n < ATTEMPTS; n += 1) {
        const ticket = randomBytes(32).toString('base64url');
        const send = { ticket, answer: '1-x', confirm: 'publish-publicly' };
        await submit(test, send, publisher);
      }
    },
  ),
  fault('the ticket', 'ticket_invalid', (_, scene) => {
    scene.send.ticket = randomBytes(32).toString('base64url');
  }),
  fault(
    'an accepted request_id',
    'request_id_conflict request_id',
    async (test, scene) => {
      const { requestId: request_id, target: reply_to } = scene;
      const other = { request_id, reply_to, body: 'Other content' };
      await publish(test, other, freshNetwork());
    },
  ),
  fault('its age', 'ticket_expired', (test) => test.clock.advance(600_001)),
  fault(
    'the lock',
    'challenge_locked challenge_attempts',
    async (test, scene) => {
      const { writes, limits } = test.board.context;
      const scope = lockScope({ requestId: scene.requestId });
      for (let n = 0; n < 5; n += 1) {
        await wrongAnswer(writes, { scope }, limits, test.clock.now());
      }
    },
  ),
  fault('the answer', 'wrong_answer answer', (_, scene) => {
    scene.send.answer = '1-wrong';
  }),
  fault('confirm', 'confirmation_required confirm', (_, scene) => {
    scene.send.confirm = 'publish-privately';
  }),
  OTHER_NETWORK,
  REMOVED_TARGET,
  fault(
    'the budgets',
    'rate_limited writes_per_network_minute',
    async (test, { publisher }) => {
      const reply_to = (await publish(test, {}, freshNetwork())).message.id;
      await publish(test, { reply_to }, publisher);
    },
  ),
];

/** What has to happen first so that each fault meets the others standing. */
const SETUP = [
  'the network of a vote',
  'its age',
  'an accepted request_id',
  'the lock',
  'the target',
  'the budgets',
  'the attempts',
];

describe('POST /write/publish: the first failing check answers', () => {
  const test = givenBoard({
    lifted: true,
    limits: {
      writes_per_network_minute: 1,
      publish_attempts_per_network_minute: ATTEMPTS,
    },
  });

  async function scene(): Promise<Scene> {
    const target = (await publish(test, {}, freshNetwork())).message.id;
    const requestId = randomUUID();
    const previewer = freshNetwork();
    const post = request({ request_id: requestId, reply_to: target, vote: 1 });
    const previewed = await test.post('/write/preview', post, previewer);
    const send = filled(previewed);
    return { requestId, target, previewer, publisher: previewer, send };
  }

  itKeepsTheOrder(test, ORDER, SETUP, scene);

  it('counts an attempt whatever its outcome, but not for a bad body', async () => {
    const from = freshNetwork();
    const post = (send: object) => submit(test, send, from);
    const wrong = { ticket: 'x', answer: 'y', confirm: 'z' };
    for (let n = 0; n < ATTEMPTS + 2; n += 1) {
      expect((await post({ ...wrong, more: 1 })).status).to.equal(400);
    }
    for (let n = 0; n < ATTEMPTS; n += 1) {
      expect((await post(wrong)).body.error).to.equal('ticket_invalid');
    }
    const last = await post(wrong);
    expect(last.body).to.include({
      error: 'rate_limited',
      scope: 'publish_attempts_per_network_minute',
    });
  });
});

/** Letters, so that no phrase is in another and no two titles are a series. */
const WORDS = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) =>
  letter.repeat(5),
);
const POLL = { question: 'Which?', options: ['one', 'two'] };

type TopicScene = {
  word: string;
  publisher: string;
  send: Record<string, unknown>;
};

const post = (test: TestBoard, more: Post) =>
  publish(test, more, freshNetwork());

/** The order of spec/board.md §5.1 from `confirm` on, as far as topics go. */
const TOPIC_ORDER: Fault<TopicScene>[] = [
  fault('confirm', 'confirmation_required confirm', (_, { send }) => {
    send.confirm = 'no';
  }),
  fault('the funnel', 'funnel_thread_changed', async (test, { word }) => {
    await post(test, { body: word });
  }),
  fault('the series', 'series_requires_reply', async (test, { word }) => {
    for (const n of [1, 2]) await post(test, { title: `Digest ${word}: ${n}` });
  }),
  fault('the open polls', 'rate_limited open_polls_max', async (test) => {
    await post(test, { poll: { ...POLL, duration_hours: 24 } });
  }),
  fault(
    'the budgets',
    'topic_budget_exhausted topics_per_source_hour',
    async (test, { publisher }) => {
      await publish(test, {}, publisher);
    },
  ),
];

describe('POST /write/publish of a topic: the first failing check', () => {
  const test = givenBoard({
    lifted: true,
    limits: { topics_per_source_hour: 3, open_polls_max: 1 },
    env: { FUNNEL_PHRASES: JSON.stringify(WORDS) },
  });
  const unused = [...WORDS];

  itKeepsTheOrder(
    test,
    TOPIC_ORDER,
    TOPIC_ORDER.map(({ name }) => name),
    async () => {
      test.clock.advance(2 * DAY_MS); // the polls of before are over
      const word = unused.shift() ?? '';
      const publisher = freshNetwork();
      for (const n of [1, 2]) await publish(test, { body: `${n}` }, publisher);
      const poll = { ...POLL, duration_hours: 24 };
      const topic = { title: `Digest ${word}: 3`, body: word, poll };
      const send = filled(await preview(test, topic, publisher));
      return { word, publisher, send };
    },
  );
});
