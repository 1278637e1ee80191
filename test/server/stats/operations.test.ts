import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { boardForEachTest } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, preview, publish } from '../../support/post.js';
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

type Previewed = Parameters<typeof filled>[0];

describe('Operation counters', () => {
  let test: TestBoard;

  boardForEachTest({ limits: LIFTED, env: { ROLES: 'api' } }, (made) => {
    test = made;
  });

  async function operations(): Promise<{ all: object; today: object }> {
    await test.flush();
    const { body } = await test.as('192.0.2.1').get('/api/stats');
    const { all_time: all, today } = body;
    return { all: all.operations, today: today.operations };
  }

  async function stored(): Promise<Record<string, number>> {
    await test.flush();
    const rows = await test.board.context.reads.query<{
      operation: string;
      total: number;
    }>('SELECT operation, total FROM operation_day');
    return Object.fromEntries(rows.map((row) => [row.operation, row.total]));
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
    await publish(test);
    await previewRating(test, 99, { vote: 1 }).expect(404);
    await previewRating(test, 1, { vote: 7 }).expect(400);
    const previewed = await preview(test, { reply_to: 1, vote: 1 });
    await test
      .as()
      .post('/write/publish')
      .send({ ...filled(previewed as Previewed), answer: 'wrong' })
      .expect(400);
    const { all } = await operations();
    expect(all).to.deep.equal({ ...NONE, reply_rating_preview: 1 });
  });

  it('leave monitoring out, which changes nothing else', async () => {
    await publish(test);
    const previewed = await test
      .as()
      .post('/api/messages/1/votes/preview')
      .set('X-Board-Source', 'board-monitor')
      .send({ vote: 1 })
      .expect(200);
    await test
      .as()
      .post('/api/messages/1/votes')
      .set('X-Board-Source', 'board-monitor')
      .send(filled(previewed as Previewed))
      .expect(201);
    const { all } = await operations();
    expect(all).to.deep.equal(NONE);
    const { body } = await test.as().get('/api/stats');
    expect(body.all_time.ratings).to.deep.equal({ up: 1, down: 0 });
  });

  it('of a day are counted in that day', async () => {
    await publish(test);
    await rate(test, 1, 1);
    test.clock.set(Date.UTC(2026, 0, 15, 23, 59, 59, 999));
    await previewRating(test, 1, { vote: 1 });
    await test.flush();
    test.clock.advance(1);
    await previewRating(test, 1, { vote: 1 });
    const { all, today } = await operations();
    expect(all).to.include({
      message_vote_preview: 3,
      message_vote_publish: 1,
    });
    expect(today).to.deep.equal({ ...NONE, message_vote_preview: 1 });
  });

  it('wait for a database that is away, and are not lost', async () => {
    const { writes } = test.board.context;
    await writes.query('ALTER TABLE operation_day RENAME TO away');
    await publish(test);
    await rate(test, 1, 1);
    await test.flush();
    await writes.query('ALTER TABLE away RENAME TO operation_day');
    await rate(test, 1, 1, '198.51.100.9');
    const { all } = await operations();
    expect(all).to.include({
      message_vote_preview: 2,
      message_vote_publish: 2,
    });
  });
});
