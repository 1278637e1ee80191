import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { preview, publish } from '../../support/post.js';
import { expectRefusal } from '../posting/refusals.js';
import { ACCEPTED, REFUSED } from './poll-cases.js';
import { SURVEY, UNLIMITED } from './polling.js';

describe('the poll of POST /write/preview', () => {
  let test: TestBoard;
  let topic: number;

  before(async () => {
    test = await startBoard({ limits: UNLIMITED });
    topic = (await publish(test)).message.id;
  });

  after(() => test.stop());

  for (const [name, poll, refusal] of REFUSED) {
    it(`is refused: ${name}`, async () => {
      expectRefusal(await preview(test, { poll }), refusal);
    });
  }

  for (const [name, poll, shown] of ACCEPTED) {
    it(`is shown exactly: ${name}`, async () => {
      const { status, body } = await preview(test, { poll });
      expect(status).to.equal(200);
      expect(body.public_poll).to.deep.equal(shown);
    });
  }

  it('is no part of a preview without one', async () => {
    const { body } = await preview(test, {});
    expect(body).not.to.have.property('public_poll');
  });

  it('is refused on a reply before anything is spent', async () => {
    const spent = () =>
      test.board.context.reads.query(
        "SELECT sum(total) FROM budget_head WHERE scope = 'preview'",
      );
    const before = await spent();
    expectRefusal(await preview(test, { reply_to: topic, poll: SURVEY }), {
      status: 400,
      error: 'poll_not_allowed_on_reply',
      field: 'poll',
    });
    expect(await spent()).to.deep.equal(before);
  });

  it('is refused on a topic that the funnel rule makes a reply', async () => {
    const body = 'On black  lives matter.';
    const first = await preview(test, { body, poll: SURVEY });
    expect(first.status).to.equal(200);
    await publish(test, { body });
    expectRefusal(await preview(test, { body, poll: SURVEY }), {
      status: 400,
      error: 'poll_not_allowed_on_reply',
      field: 'poll',
    });
  });
});
