import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import { removeRow } from '../../support/remove.js';
import { expectRefusal, LOCKED, retryAfter } from '../posting/refusals.js';
import {
  castRating,
  previewRating,
  rate,
  ratingTicket,
  scoreOf,
} from './rating.js';

const MEMBERS =
  'status public_vote challenge challenge_instruction ticket publish expires_at community';

describe('POST /api/messages/{id}/votes/preview', () => {
  const test = givenBoard({ lifted: true });
  const [topic, reply] = [1, 2]; // the board's first messages

  before(() => publish(test));
  before(() => publish(test, { reply_to: topic }));

  it('shows a rating with exactly the members of spec/board.md §6.1', async () => {
    for (const [id, vote] of [
      [topic, 1],
      [topic, -1],
      [reply, 1],
      [reply, -1],
    ] as const) {
      const { status, body, headers } = await previewRating(test, id, { vote });
      expect(status).to.equal(200);
      expect(Object.keys(body).join(' ')).to.equal(MEMBERS);
      expect(body.status).to.equal('preview_only_nothing_published');
      expect(body.public_vote).to.deep.equal({ message_id: id, vote });
      expect(body.publish).to.deep.equal({
        method: 'POST',
        url: `${BASE_URL}/api/messages/${id}/votes`,
        content_type: 'application/json',
        json_template: { ticket: body.ticket, answer: 'YOUR_ANSWER' },
      });
      expect(body.challenge).to.match(
        /^Add \d{1,6} and \d{1,6}\. Append a hyphen and the word [A-Za-z]{1,40}\.$/,
      );
      expect(body.expires_at).to.equal('2026-01-15T12:10:00Z');
      expect(body.community.rules_url).to.equal(`${BASE_URL}/rules.md`);
      expect(headers['cache-control']).to.equal('no-store');
      expect(headers).not.to.have.any.keys(
        'etag',
        'access-control-allow-origin',
      );
    }
  });

  it('answers a vote of 0 without a look at the message', async () => {
    for (const id of [topic, 999_999, 999_999_999_999_999]) {
      for (const vote of ['0', '-0', '0.0']) {
        const { status, body, headers } = await test
          .as()
          .post(`/api/messages/${id}/votes/preview`)
          .set('Content-Type', 'application/json')
          .send(`{"vote": ${vote}}`);
        expect(status).to.equal(200);
        expect(body).to.deep.equal({
          status: 'skipped',
          message_id: id,
          vote: 0,
        });
        expect(headers['cache-control']).to.equal('no-store');
      }
    }
  });

  it('needs a positive ID in the path even for 0', async () => {
    for (const id of ['0', '-1', '01', '1.0', '1e3', 'x', '1000000000000000']) {
      for (const vote of [0, 1]) {
        const answer = await previewRating(test, id, { vote });
        expectRefusal(answer, { status: 404, error: 'message_not_found' });
      }
    }
  });

  it('is 404 where no message is, or none any more', async () => {
    const unknown = await previewRating(test, 999_999, { vote: 1 });
    expectRefusal(unknown, { status: 404, error: 'message_not_found' });
    expect(unknown.body).not.to.have.property('moderation_url');
    const { message } = await publish(test, { reply_to: topic });
    await removeRow(test, message.id);
    const gone = await previewRating(test, message.id, { vote: 1 });
    expectRefusal(gone, { status: 404, error: 'message_not_found' });
    expect(gone.body.moderation_url).to.equal(
      `${BASE_URL}/api/moderation/${message.id}`,
    );
  });

  it('shows an existing vote and never answers 409', async () => {
    const voter = '203.0.113.77';
    await rate(test, reply, -1, voter);
    for (const vote of [1, -1]) {
      const { status, body } = await previewRating(
        test,
        reply,
        { vote },
        voter,
      );
      expect(status).to.equal(200);
      expect(body.public_vote).to.deep.equal({ message_id: reply, vote });
      expect(body.existing_vote).to.deep.equal({ message_id: reply, vote: -1 });
    }
    const other = await previewRating(test, reply, { vote: 1 }, '203.0.113.78');
    expect(other.body).not.to.have.property('existing_vote');
  });
});

describe("the challenge of a rating's ticket", () => {
  const test = givenBoard({ lifted: true });
  const topic = 1; // the board's first message

  before(() => publish(test));

  /** Wrong answers as sent by `from`; gives what each was answered. */
  async function guess(
    send: Record<string, unknown>,
    times: number,
    from: string,
  ) {
    const answers = [];
    for (let n = 0; n < times; n += 1) {
      const wrong = { ...send, answer: `${n}-wrong` };
      answers.push(await castRating(test, topic, wrong, from));
    }
    return answers;
  }

  it('locks the ticket for 600 s at the fifth wrong answer', async () => {
    const from = freshNetwork();
    const send = await ratingTicket(test, topic, 1, from);
    const untouched = await ratingTicket(test, topic, 1, from);
    const answers = await guess(send, 5, from);
    answers.slice(0, 4).forEach((answer, at) => {
      const wrong = { status: 400, error: 'wrong_answer', field: 'answer' };
      expectRefusal(answer, wrong);
      expect(answer.body.attempts_left).to.equal(4 - at);
    });
    for (const answer of answers.slice(4)) {
      expectRefusal(answer, LOCKED);
      expect(retryAfter(answer)).to.equal(600);
    }
    test.clock.advance(10_000);
    for (const who of [from, freshNetwork()]) {
      const right = await castRating(test, topic, send, who);
      expectRefusal(right, LOCKED);
      expect(retryAfter(right)).to.equal(590);
    }
    // The lock is this ticket's alone.
    await castRating(test, topic, untouched, from).expect(201);
  });

  it('looks at the receipt before the lock, the answer and the age', async () => {
    const from = freshNetwork();
    const locked = await ratingTicket(test, topic, 1, from);
    const opposite = await ratingTicket(test, topic, -1, from);
    await guess(locked, 5, from);
    await guess(opposite, 5, from);
    await rate(test, topic, 1, from);
    const wrong = { ...locked, answer: 'no idea' };
    await castRating(test, topic, locked, from).expect(200);
    await castRating(test, topic, wrong, from).expect(200);
    const voted = { status: 409, error: 'already_voted' };
    expectRefusal(await castRating(test, topic, opposite, from), voted);
    test.clock.advance(24 * 3_600_000);
    await castRating(test, topic, wrong, from).expect(200);
    expectRefusal(await castRating(test, topic, opposite, from), voted);
  });

  it('checks age, lock, answer and network in this order', async () => {
    const [from, elsewhere] = [freshNetwork(), freshNetwork()];
    const before = await scoreOf(test, topic);
    const send = await ratingTicket(test, topic, 1, from);
    const both = { ...send, answer: 'wrong' };
    const wrong = await castRating(test, topic, both, elsewhere);
    expect(wrong.body.error).to.equal('wrong_answer');
    const moved = await castRating(test, topic, send, elsewhere);
    expect(moved.body.error).to.equal('network_changed');
    // A right answer sets the count to 0, whatever fails after it.
    const next = await castRating(test, topic, both, elsewhere);
    expect(next.body.attempts_left).to.equal(4);
    await guess(send, 4, elsewhere);
    const locked = await castRating(test, topic, both, elsewhere);
    expect(locked.body.error).to.equal('challenge_locked');
    test.clock.advance(600_001);
    const expired = await castRating(test, topic, both, elsewhere);
    expect(expired.body.error).to.equal('ticket_expired');
    expect(await scoreOf(test, topic)).to.equal(before);
  });
});

describe('a lock that ends before its ticket does', () => {
  const test = givenBoard({ limits: { challenge_lock_seconds: 60 } });

  it('sets the count to 0', async () => {
    const topic = (await publish(test)).message.id;
    const send = await ratingTicket(test, topic, 1);
    const wrong = { ...send, answer: 'wrong' };
    for (let n = 0; n < 5; n += 1) await castRating(test, topic, wrong);
    test.clock.advance(59_999);
    expectRefusal(await castRating(test, topic, send), LOCKED);
    test.clock.advance(1);
    const first = await castRating(test, topic, wrong);
    expect(first.body.attempts_left).to.equal(4);
    await castRating(test, topic, send).expect(201);
  });
});
