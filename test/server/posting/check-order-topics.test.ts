import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, preview, publish } from '../../support/post.js';

const PHRASE = 'black lives matter';
const FROM = '192.0.2.1';
const OTHER = '192.0.2.2';

type Fault = {
  name: string;
  error: string;
  apply(test: TestBoard, send: Record<string, unknown>): Promise<void>;
};

/** Decisions 5.1 from `confirm` on, as far as it concerns a topic. */
const ORDER: Fault[] = [
  {
    name: 'confirm',
    error: 'confirmation_required',
    apply: async (_, send) => {
      send.confirm = 'no';
    },
  },
  {
    name: 'the funnel',
    error: 'funnel_thread_changed',
    apply: async (test) => {
      await publish(test, { body: PHRASE }, OTHER);
    },
  },
  {
    name: 'the series',
    error: 'series_requires_reply',
    apply: async (test) => {
      for (const n of [1, 2]) {
        await publish(test, { title: `Weekly digest: ${n}` }, OTHER);
      }
    },
  },
  {
    name: 'the open polls',
    error: 'rate_limited open_polls_max',
    apply: async (test) => {
      const poll = { question: 'Which?', options: ['one', 'two'] };
      await publish(test, { poll }, OTHER);
    },
  },
  {
    name: 'the budgets',
    error: 'topic_budget_exhausted topics_per_source_hour',
    apply: async (test) => {
      await publish(test, {}, FROM);
    },
  },
];

describe('POST /write/publish of a topic: the first failing check', () => {
  async function publishWith(faults: readonly Fault[]): Promise<string> {
    const test = await startBoard({
      limits: { ...LIFTED, topics_per_source_hour: 3, open_polls_max: 1 },
    });
    for (const n of [1, 2]) await publish(test, { body: `${n}` }, FROM);
    const post = {
      title: 'Weekly digest: 3',
      body: PHRASE,
      poll: { question: 'What?', options: ['this', 'that'] },
    };
    const send = filled(await preview(test, post, FROM));
    for (const fault of faults) await fault.apply(test, send);
    const answer = await test.as(FROM).post('/write/publish').send(send);
    await checkLedger(test);
    await test.stop();
    const { error, scope, status } = answer.body;
    return scope === undefined ? (error ?? status) : `${error} ${scope}`;
  }

  it('is none when all is well', async () => {
    expect(await publishWith([])).to.equal('published');
  });

  for (const [at, first] of ORDER.entries()) {
    it(`is ${first.name} alone`, async () => {
      expect(await publishWith([first])).to.equal(first.error);
    });
    for (const second of ORDER.slice(at + 1)) {
      it(`is ${first.name} before ${second.name}`, async () => {
        expect(await publishWith([first, second])).to.equal(first.error);
      });
    }
  }
});
