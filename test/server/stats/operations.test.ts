import { DAY_MS, utcDay } from '../../../server/clock.js';
import { OperationDay } from '../../../server/db/entities/stats.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, preview, publish, submit } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { openPoll, previewBallot, vote } from '../polls/polling.js';
import { previewRating, rate } from '../votes/rating.js';

const NONE = {
  message_vote_preview: 0,
  message_vote_publish: 0,
  poll_vote_preview: 0,
  poll_vote_publish: 0,
  reply_rating_preview: 0,
  reply_rating_publish: 0,
};

type Counts = Record<string, number>;

describe('Operation counters', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  let earlier: Counts;
  let topic: number;

  beforeEach(async () => {
    topic = (await publish(test)).message.id;
    test.clock.advance(DAY_MS);
    earlier = await ever();
  });

  async function stats() {
    await test.flush();
    return (await test.as('192.0.2.1').get('/api/stats')).body;
  }
  const ever = async (): Promise<Counts> => (await stats()).all_time.operations;

  async function operations(): Promise<{ all: Counts; today: Counts }> {
    const { all_time, today } = await stats();
    const all = Object.entries<number>(all_time.operations).map(
      ([name, total]) => [name, total - (earlier[name] ?? 0)],
    );
    return { all: Object.fromEntries(all), today: today.operations };
  }

  async function stored(): Promise<Counts> {
    await test.flush();
    const day = utcDay(test.clock.now());
    const found = await rows(test).findBy(OperationDay, { day });
    return Object.fromEntries(found.map((row) => [row.operation, row.total]));
  }

  it('are all there from the start', async () => {
    const { all, today } = await operations();
    expect(all).to.deep.equal(NONE);
    expect(today).to.deep.equal(NONE);
  });

  it('count ratings, ballots and replies with a rating', async () => {
    const { id: poll, rootId } = await openPoll(test);
    await rate(test, rootId, 1, '198.51.100.1');
    await previewRating(test, rootId, { vote: -1 }, '198.51.100.2');
    await vote(test, poll, 'a', '198.51.100.1');
    await previewBallot(test, poll, {
      option: 'b',
      request_id: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    });
    await publish(test, { reply_to: rootId, vote: 1 }, '198.51.100.3');
    await preview(test, { reply_to: rootId, vote: -1 }, '198.51.100.4');
    await publish(test, { reply_to: rootId, vote: 0 });
    await publish(test, { reply_to: rootId });
    const { all, today } = await operations();
    expect(today).to.deep.equal({
      message_vote_preview: 2,
      message_vote_publish: 1,
      poll_vote_preview: 2,
      poll_vote_publish: 1,
      reply_rating_preview: 2,
      reply_rating_publish: 1,
    });
    expect(all).to.deep.equal(today);
    expect(await stored()).to.include({ write_preview: 5, write_publish: 4 });
  });

  it('do not count what failed', async () => {
    await previewRating(test, 99_999, { vote: 1 }).expect(404);
    await previewRating(test, topic, { vote: 7 }).expect(400);
    const previewed = await preview(test, { reply_to: topic, vote: 1 });
    await submit(test, { ...filled(previewed), answer: 'wrong' }).expect(400);
    const { all } = await operations();
    expect(all).to.deep.equal({ ...NONE, reply_rating_preview: 1 });
  });

  it('leave monitoring out, which changes nothing else', async () => {
    const { up } = (await stats()).all_time.ratings;
    const previewed = await test
      .as()
      .post(`/api/messages/${topic}/votes/preview`)
      .set('X-Board-Source', 'board-monitor')
      .send({ vote: 1 })
      .expect(200);
    await test
      .as()
      .post(`/api/messages/${topic}/votes`)
      .set('X-Board-Source', 'board-monitor')
      .send(filled(previewed))
      .expect(201);
    const { all } = await operations();
    expect(all).to.deep.equal(NONE);
    expect((await stats()).all_time.ratings).to.include({ up: up + 1 });
  });

  it('wait for a database that is away, and are not lost', async () => {
    const { writes } = test.board.context;
    await writes.query('ALTER TABLE operation_day RENAME TO away');
    await rate(test, topic, 1);
    await test.flush();
    await writes.query('ALTER TABLE away RENAME TO operation_day');
    await rate(test, topic, 1, '198.51.100.9');
    const { all } = await operations();
    expect(all).to.include({
      message_vote_preview: 2,
      message_vote_publish: 2,
    });
  });
});
