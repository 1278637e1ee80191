import { expect } from 'chai';
import { freshNetwork } from '../../support/fresh-network.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { expectRefusal, LOCKED, retryAfter } from '../posting/refusals.js';
import { castRating, rate, ratingTicket, scoreOf } from './rating.js';

describe("the challenge of a rating's ticket", () => {
  const test = givenBoard({ limits: LIFTED });
  let topic: number;

  before(async () => {
    topic = (await publish(test)).message.id;
  });

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

  it('counts parallel wrong answers exactly', async () => {
    const from = freshNetwork();
    const send = await ratingTicket(test, topic, 1, from);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        castRating(test, topic, { ...send, answer: `${n}-wrong` }, from),
      ),
    );
    const left = answers
      .filter(({ status }) => status === 400)
      .map(({ body }) => body.attempts_left);
    expect(left.sort()).to.deep.equal([1, 2, 3, 4]);
    for (const answer of answers.filter(({ status }) => status !== 400)) {
      expectRefusal(answer, LOCKED);
    }
    expectRefusal(await castRating(test, topic, send, from), LOCKED);
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

  it('trims the answer and does not mind the case of its word', async () => {
    const from = freshNetwork();
    const send = await ratingTicket(test, topic, 1, from);
    const answer = `\n ${String(send.answer).toUpperCase()}\t`;
    await castRating(test, topic, { ...send, answer }, from).expect(201);
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
