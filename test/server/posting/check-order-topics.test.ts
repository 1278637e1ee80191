import { DAY_MS } from '../../../server/clock.js';
import type { TestBoard } from '../../support/board.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, type Post, preview, publish } from '../../support/post.js';
import { type Fault, itKeepsTheOrder } from './fault-order.js';

/** Letters, so that no phrase is in another and no two titles are a series. */
const WORDS = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) =>
  letter.repeat(5),
);
const POLL = { question: 'Which?', options: ['one', 'two'] };

/** A topic on its way; `word` tells it from those before it. */
type Scene = { word: string; publisher: string; send: Record<string, unknown> };

const post = (test: TestBoard, more: Post) =>
  publish(test, more, freshNetwork());

/** The order of spec/board.md §5.1 from `confirm` on, as far as topics go. */
const ORDER: Fault<Scene>[] = [
  {
    name: 'confirm',
    error: 'confirmation_required confirm',
    apply: (_, { send }) => {
      send.confirm = 'no';
    },
  },
  {
    name: 'the funnel',
    error: 'funnel_thread_changed',
    apply: async (test, { word }) => {
      await post(test, { body: word });
    },
  },
  {
    name: 'the series',
    error: 'series_requires_reply',
    apply: async (test, { word }) => {
      for (const n of [1, 2])
        await post(test, { title: `Digest ${word}: ${n}` });
    },
  },
  {
    name: 'the open polls',
    error: 'rate_limited open_polls_max',
    apply: async (test) => {
      await post(test, { poll: { ...POLL, duration_hours: 24 } });
    },
  },
  {
    name: 'the budgets',
    error: 'topic_budget_exhausted topics_per_source_hour',
    apply: async (test, { publisher }) => {
      await publish(test, {}, publisher);
    },
  },
];

describe('POST /write/publish of a topic: the first failing check', () => {
  const test = givenBoard({
    limits: { ...LIFTED, topics_per_source_hour: 3, open_polls_max: 1 },
    env: { FUNNEL_PHRASES: JSON.stringify(WORDS) },
  });
  const unused = [...WORDS];

  itKeepsTheOrder(
    test,
    ORDER,
    ORDER.map(({ name }) => name),
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
