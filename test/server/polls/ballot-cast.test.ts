import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { publish, submit } from '../../support/post.js';
import { freshNetwork, randomBytes, randomUUID } from '../../support/random.js';
import { removeRow } from '../../support/remove.js';
import {
  CONFLICT,
  expectRefusal,
  invalid,
  unknown,
} from '../posting/refusals.js';
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
  let poll: Opened;

  const test = givenBoard({ limits: UNLIMITED });

  beforeEach(async () => {
    poll = await openPoll(test);
  });

  it('is found by its UUID, like a report, and never advised to be posted', async () => {
    const ballot = randomUUID();
    const reported = randomUUID();
    const other = await openPoll(test);
    for (const id of [poll.id, other.id]) {
      const from = freshNetwork();
      const ticket = await ballotTicket(test, id, 'b', from, ballot);
      await castBallot(test, id, ticket, from);
    }
    const sent = { kind: 'report', message_id: poll.rootId, reason: 'spam' };
    await test
      .post('/api/reports', { ...sent, request_id: reported })
      .expect(201);
    const byUuid = (uuid: string) => read(test, `/api/requests/${uuid}`);
    const { status, body } = await byUuid(ballot);
    expect([status, body.error]).to.deep.equal([404, 'message_not_found']);
    expect(body).to.include({ kind: 'ballot', option: 'b' });
    expect(body.receipt).to.include({ poll_id: other.id, status: 'published' });
    const ids = body.ballots.map((one: { poll_id: number }) => one.poll_id);
    expect(ids).to.have.members([poll.id, other.id]);
    await removeRow(test, other.rootId);
    const removed = await byUuid(ballot);
    expect(removed.body.ballots[0]).to.deep.equal({ poll_id: other.id });
    const report = await byUuid(reported);
    expect(report.status).to.equal(404);
    expect(report.body).to.include({
      kind: 'report',
      see: `${BASE_URL}/api/reports/${reported}`,
    });
    for (const { text } of [removed, report]) {
      expect(text).not.to.match(/sending|preview|POST/);
    }
    const receipt = await publish(test, { request_id: ballot });
    const message = await byUuid(ballot);
    expect(message.body).to.include({
      kind: 'message',
      id: receipt.message.id,
    });
    const nothing = await byUuid(randomUUID());
    expect(nothing.body).not.to.have.property('kind');
  });

  it('counts the first, repeats the same, refuses another', async () => {
    const from = freshNetwork();
    const same = await ballotTicket(test, poll.id, 'b', from);
    const again = await ballotTicket(test, poll.id, 'b', from);
    const other = await ballotTicket(test, poll.id, 'a', from);
    const first = await castBallot(test, poll.id, same, from).expect(201);
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
      const repeated = await castBallot(test, poll.id, send, from).expect(200);
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
    const conflict = CONFLICT;
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
    const again = await castBallot(test, short.id, send, from).expect(200);
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
    const noTicket = { status: 400, error: 'ticket_invalid' };
    const from = freshNetwork();
    const send = await ballotTicket(test, poll.id, 'a', from);
    const another = await openPoll(test);
    for (const id of [another.id, 999_999, 0]) {
      expectRefusal(await castBallot(test, id, send, from), noTicket);
    }
    const rating = await ratingTicket(test, poll.rootId, 1, from);
    const random = randomBytes(32).toString('base64url');
    for (const made of [rating, { ticket: random, answer: '1-x' }]) {
      expectRefusal(await castBallot(test, poll.id, made, from), noTicket);
    }
    const written = await submit(
      test,
      { ...send, confirm: 'publish-publicly' },
      from,
    );
    expectRefusal(written, noTicket);
    expectRefusal(await castBallot(test, 'x', send, from), {
      status: 404,
      error: 'poll_not_found',
    });
    expectRefusal(
      await castBallot(test, poll.id, { ...send, confirm: 'x' }),
      unknown('confirm'),
    );
    for (const field of ['ticket', 'answer']) {
      const blank = { ...send, [field]: ' ' };
      expectRefusal(
        await castBallot(test, poll.id, blank, from),
        invalid(field),
      );
    }
    await castBallot(test, poll.id, send, from).expect(201);
  });

  it('is 404 once the topic is removed, counted or not', async () => {
    const [voted, late] = [freshNetwork(), freshNetwork()];
    const counted = await ballotTicket(test, poll.id, 'a', voted);
    const pending = await ballotTicket(test, poll.id, 'a', late);
    await castBallot(test, poll.id, counted, voted).expect(201);
    await removeRow(test, poll.rootId);
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

  it('has a ticket that expires after 600 seconds and says what to preview again', async () => {
    const [from, request_id] = [freshNetwork(), randomUUID()];
    const send = await ballotTicket(test, poll.id, 'a', from, request_id);
    test.clock.advance(600_001);
    const expired = await castBallot(test, poll.id, send, from);
    expectRefusal(expired, { status: 400, error: 'ticket_expired' });
    const { url, json_template } = expired.body.suggested_action;
    expect(url).to.equal(`${BASE_URL}/api/polls/${poll.id}/votes/preview`);
    expect(json_template).to.deep.equal({ option: 'a', request_id });
    const again = await test.post(
      url.replace(BASE_URL, ''),
      json_template,
      from,
    );
    expect(again.status).to.equal(200);
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
