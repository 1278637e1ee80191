import { expect } from 'chai';
import { BASE_URL, startBoard, type TestBoard } from '../../support/board.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { randomUUID } from '../../support/random.js';
import { expectRefusal } from '../posting/refusals.js';
import {
  ballotTicket,
  castBallot,
  HOUR_MS,
  type Opened,
  openPoll,
  SURVEY,
  storedBallots,
  UNLIMITED,
} from './polling.js';

describe('the ticket of a ballot', () => {
  let test: TestBoard;
  let poll: Opened;

  before(async () => {
    test = await startBoard({ limits: UNLIMITED });
  });

  beforeEach(async () => {
    poll = await openPoll(test);
  });

  after(() => test.stop());

  it('expires after 600 seconds and says what to preview again', async () => {
    const [from, request_id] = [freshNetwork(), randomUUID()];
    const send = await ballotTicket(test, poll.id, 'a', from, request_id);
    test.clock.advance(600_001);
    const expired = await castBallot(test, poll.id, send, from);
    expectRefusal(expired, { status: 400, error: 'ticket_expired' });
    const { url, json_template } = expired.body.suggested_action;
    expect(url).to.equal(`${BASE_URL}/api/polls/${poll.id}/votes/preview`);
    expect(json_template).to.deep.equal({ option: 'a', request_id });
    const again = await test
      .as(from)
      .post(url.replace(BASE_URL, ''))
      .send(json_template);
    expect(again.status).to.equal(200);
  });

  it('locks the ticket, not the request_id, after five wrong answers', async () => {
    const [from, request_id] = [freshNetwork(), randomUUID()];
    const send = await ballotTicket(test, poll.id, 'a', from, request_id);
    const second = await ballotTicket(test, poll.id, 'a', from, request_id);
    const wrong = { ...send, answer: 'wrong' };
    for (const left of [4, 3, 2, 1]) {
      const answer = await castBallot(test, poll.id, wrong, from);
      expect(answer.body.error).to.equal('wrong_answer');
      expect(answer.body.attempts_left).to.equal(left);
    }
    for (const made of [wrong, send]) {
      const locked = await castBallot(test, poll.id, made, from);
      expectRefusal(locked, {
        status: 429,
        error: 'challenge_locked',
        scope: 'challenge_attempts',
      });
    }
    await castBallot(test, poll.id, second, from).expect(201);
    // The receipt comes before the lock, the answer and the age.
    await castBallot(test, poll.id, wrong, from).expect(200);
    test.clock.advance(600_001);
    await castBallot(test, poll.id, wrong, from).expect(200);
  });

  it('checks age, answer, network, topic and deadline in this order', async () => {
    const short = { ...SURVEY, duration_hours: 24 };
    const { id } = await openPoll(test, short);
    test.clock.advance(24 * HOUR_MS - 1000);
    const [from, elsewhere] = [freshNetwork(), freshNetwork()];
    const send = await ballotTicket(test, id, 'a', from);
    const wrong = { ...send, answer: 'wrong' };
    const errors = [];
    test.clock.advance(1000);
    for (const [made, who] of [
      [wrong, elsewhere],
      [send, elsewhere],
      [send, from],
    ] as const) {
      errors.push((await castBallot(test, id, made, who)).body.error);
    }
    test.clock.advance(600_000);
    errors.push((await castBallot(test, id, wrong, elsewhere)).body.error);
    expect(errors).to.deep.equal([
      'wrong_answer',
      'network_changed',
      'poll_closed',
      'ticket_expired',
    ]);
    expect(await storedBallots(test, id)).to.deep.equal([]);
  });
});
