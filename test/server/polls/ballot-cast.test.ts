import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import { expectRefusal } from '../posting/refusals.js';
import { remove } from '../reading/fixture.js';
import { ratingTicket } from '../votes/rating.js';
import {
  ballotTicket,
  castBallot,
  eventsOf,
  HOUR_MS,
  type Opened,
  openPoll,
  read,
  SURVEY,
  storedBallots,
  UNLIMITED,
  vote,
} from './polling.js';

const OPEN = { result: null, winner: null };

describe('POST /api/polls/{id}/votes', () => {
  let test: TestBoard;
  let poll: Opened;
  const removed: number[] = [];

  before(async () => {
    test = await startBoard({ limits: UNLIMITED });
  });

  beforeEach(async () => {
    poll = await openPoll(test);
  });

  after(async () => {
    await checkLedger(test, { removed });
    await test.stop();
  });

  it('counts the first, repeats the same, refuses another', async () => {
    const from = freshNetwork();
    const same = await ballotTicket(test, poll.id, 'b', from);
    const again = await ballotTicket(test, poll.id, 'b', from);
    const other = await ballotTicket(test, poll.id, 'a', from);
    const first = await castBallot(test, poll.id, same, from);
    expect(first.status).to.equal(201);
    const counted = {
      poll_id: poll.id,
      option: 'b',
      status: 'published',
      tally: { counts: [0, 1, 0], voters: 1, ...OPEN },
    };
    expect(first.body).to.deep.equal(counted);
    expect(first.headers['cache-control']).to.equal('no-store');
    const known = { ...counted, status: 'already_voted' };
    for (const send of [same, again]) {
      const repeated = await castBallot(test, poll.id, send, from);
      expect(repeated.status).to.equal(200);
      expect(repeated.body).to.deep.equal(known);
    }
    const refused = await castBallot(test, poll.id, other, from);
    expectRefusal(refused, { status: 409, error: 'already_voted' });
    expect(refused.body.current).to.deep.equal(known);
    expect(await storedBallots(test, poll.id)).to.deep.equal([1]);
    const events = await eventsOf(test, poll.id);
    expect(events.map(({ kind }) => kind)).to.deep.equal([
      'opened',
      'vote_accepted',
    ]);
    expect(events[1]?.data).to.deep.equal({
      option: 'b',
      counts: [0, 1, 0],
      voters: 1,
    });
  });

  it('knows an accepted request_id before the ballot of a network', async () => {
    const [from, elsewhere] = [freshNetwork(), freshNetwork()];
    const request_id = randomUUID();
    await vote(test, poll.id, 'a', from, request_id);
    const conflict = {
      status: 409,
      error: 'request_id_conflict',
      field: 'request_id',
    };
    for (const who of [from, elsewhere]) {
      const same = await vote(test, poll.id, 'a', who, request_id);
      expect(same.status).to.equal(200);
      const other = await vote(test, poll.id, 'b', who, request_id);
      expectRefusal(other, conflict);
    }
    // That retry was no ballot of the other network, which still has its own.
    const own = await vote(test, poll.id, 'b', elsewhere);
    expect(own.status).to.equal(201);
    expect(own.body.tally.counts).to.deep.equal([1, 1, 0]);
    const late = await vote(test, poll.id, 'b', elsewhere, request_id);
    expectRefusal(late, conflict);
  });

  it('keeps request_ids per poll and apart from messages', async () => {
    const another = await openPoll(test);
    const request_id = randomUUID();
    const from = freshNetwork();
    for (const [{ id }, option] of [
      [poll, 'a'],
      [another, 'b'],
    ] as const) {
      const { status } = await vote(test, id, option, from, request_id);
      expect(status).to.equal(201);
    }
    const topic = await openPoll(test, SURVEY, { request_id });
    expect(topic.id).to.be.greaterThan(another.id);
  });

  it('repeats the answer until a day after expiry, closed or not', async () => {
    const short = await openPoll(test, { ...SURVEY, duration_hours: 24 });
    const from = freshNetwork();
    const send = await ballotTicket(test, short.id, 'c', from);
    await castBallot(test, short.id, send, from).expect(201);
    test.clock.advance(24 * HOUR_MS + 500_000);
    const again = await castBallot(test, short.id, send, from);
    expect(again.status).to.equal(200);
    expect(again.body.tally).to.deep.equal({
      counts: [0, 0, 1],
      voters: 1,
      result: 'insufficient_votes',
      winner: null,
    });
    const other = await vote(test, short.id, 'a', from);
    expectRefusal(other, { status: 409, error: 'already_voted' });
  });

  it('takes only its own tickets, for the poll in the path', async () => {
    const invalid = { status: 400, error: 'ticket_invalid' };
    const from = freshNetwork();
    const send = await ballotTicket(test, poll.id, 'a', from);
    const another = await openPoll(test);
    for (const id of [another.id, 999_999, 0]) {
      expectRefusal(await castBallot(test, id, send, from), invalid);
    }
    const rating = await ratingTicket(test, poll.rootId, 1, from);
    const random = randomBytes(32).toString('base64url');
    for (const made of [rating, { ticket: random, answer: '1-x' }]) {
      expectRefusal(await castBallot(test, poll.id, made, from), invalid);
    }
    const written = await test
      .as(from)
      .post('/write/publish')
      .send({ ...send, confirm: 'publish-publicly' });
    expectRefusal(written, invalid);
    expectRefusal(await castBallot(test, 'x', send, from), {
      status: 404,
      error: 'poll_not_found',
    });
    expectRefusal(await castBallot(test, poll.id, { ...send, confirm: 'x' }), {
      status: 400,
      error: 'unknown_field',
      field: 'confirm',
    });
    for (const field of ['ticket', 'answer']) {
      const blank = { ...send, [field]: ' ' };
      expectRefusal(await castBallot(test, poll.id, blank, from), {
        status: 400,
        error: 'invalid_input',
        field,
      });
    }
    await castBallot(test, poll.id, send, from).expect(201);
  });

  it('is 404 once the topic is removed, counted or not', async () => {
    const [voted, late] = [freshNetwork(), freshNetwork()];
    const counted = await ballotTicket(test, poll.id, 'a', voted);
    const pending = await ballotTicket(test, poll.id, 'a', late);
    await castBallot(test, poll.id, counted, voted).expect(201);
    await remove(test, poll.rootId);
    removed.push(poll.rootId);
    for (const [send, from] of [
      [counted, voted],
      [pending, late],
    ] as const) {
      const answer = await castBallot(test, poll.id, send, from);
      expectRefusal(answer, { status: 404, error: 'poll_not_found' });
      expect(answer.text).not.to.include('option');
    }
    expect(await storedBallots(test, poll.id)).to.deep.equal([0]);
  });

  it('posts no message and no rating', async () => {
    const before = await read(test, '/api/updates?limit=100');
    await vote(test, poll.id, 'a', freshNetwork());
    const after = await read(test, '/api/updates?limit=100');
    expect(after.body.count).to.equal(before.body.count);
    const { body } = await read(test, `/api/messages/${poll.rootId}`);
    expect(body.score).to.equal(0);
  });
});
