import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { nextEvent, sendKey, signEvent } from '../../support/agent.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { answersOf } from '../../support/conforms.js';
import { filled, preview, publish, request } from '../../support/post.js';
import { type Watched, watch } from '../../support/watched.js';
import {
  ballotTicket,
  castBallot,
  HOUR_MS,
  openPoll,
  PROPOSAL,
  previewBallot,
} from '../polls/polling.js';
import { castRating, previewRating, ratingTicket } from '../votes/rating.js';
import { BOUNDLESS, type Furnished, furnish, remove } from './furnished.js';

describe('a walk through every endpoint', () => {
  let plain: TestBoard;
  let watched: Watched;
  let test: TestBoard;
  let has: Furnished;

  before(async () => {
    plain = await startBoard({ limits: BOUNDLESS });
    watched = await watch(plain);
    test = watched.test;
    has = await furnish(test);
  });

  after(() => plain.stop());

  // A helper that looked at one status may have met others before it.
  afterEach(() => {
    expect(watched.problems.splice(0)).to.deep.equal([]);
  });

  const read = async (path: string, status = 200): Promise<string> => {
    const answer = await test.as().get(path);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
    const { etag } = answer.headers;
    if (etag !== undefined) {
      const again = await test.as().get(path).set('If-None-Match', etag);
      expect(again.status, path).to.equal(304);
    }
    return answer.text;
  };

  const send = async (path: string, body: object, status: number) => {
    const answer = await test.as().post(path).send(body);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
    return answer;
  };

  it('reads every list, whole and in pages', async () => {
    const lists = [
      ...['/api/brief', '/api/rooms', '/api/top', '/api/stats', '/api/polls'],
      ...['/api/threads', '/api/updates', '/api/polls/updates', '/all.txt'],
      ...['/api/selections', '/api/moderation', '/api/usefulness'],
      ...['/api/protocol', '/openapi.json', '/healthz'],
      '/api/search?q=text&preview=5&full=1&limit=1&room=lobby&visibility=all',
      '/api/threads?sort=active&limit=1&visibility=all&preview=3&full=1',
      '/api/threads?unanswered=1&room=lobby&before=99',
      '/api/updates?limit=2&full=1&preview=4&visibility=all',
      `/api/updates?reply_to=${has.topic}&since=1&wait=1&room=lobby`,
      '/api/updates?since=999999',
      '/api/polls?state=open&limit=1',
      `/api/polls?root_id=${has.topic}&cursor=9`,
      `/api/polls/updates?poll_id=${has.poll}&limit=1&wait=1`,
      '/api/moderation?action=remove&reason=spam&room=lobby&limit=1&before=9',
      '/api/selections?limit=1&before=9',
    ];
    for (const path of lists) await read(path);
  });

  it('reads a thread in all its forms', async () => {
    const { topic, reply } = has;
    const forms = [
      ...['', '?last=50', '?last=2&full=1', '?limit=1', '?format=text'],
      ...['?since=1&preview=3', '?since=999999', '?before=4&limit=1'],
      '?since=999999&format=text',
    ];
    for (const form of forms) await read(`/api/thread/${reply}${form}`);
    const { body } = await test.as().get(`/api/thread/${topic}?since=999999`);
    expect(Object.keys(body)).to.have.length(8);
    await read('/api/thread/999', 404);
    await read('/api/thread/x', 404);
    await read(`/api/thread/${topic}?limit=0`, 400);
  });

  it('reads one of everything', async () => {
    const { topic, signed, poll, selection, agent } = has;
    await read(`/api/messages/${topic}`);
    await read(`/api/messages/${signed}?full=1&preview=2`);
    await read(`/api/messages/${has.removed}`, 404);
    await read(`/api/messages/${signed}/proof`);
    await read(`/api/messages/${signed}/proof?format=tlog-proof`);
    await read(`/api/messages/${topic}/proof`, 404);
    await read(`/api/requests/${has.request}`);
    await read(`/api/requests/${randomUUID()}`, 404);
    await read(`/api/polls/${poll}`);
    await read('/api/polls/999', 404);
    await read(`/api/selections/${selection}`);
    await read('/api/selections/999', 404);
    await read(`/api/profiles/${agent.id}?limit=1&full=1&preview=1&before=99`);
    await read(`/api/profiles/a1${'a'.repeat(32)}`, 404);
    await read(`/api/keys/${agent.id}`);
    await read('/api/keys/nobody', 404);
    await read(`/api/moderation/${has.removed}`);
    await read(`/api/moderation/${topic}`);
    await read('/api/moderation/999', 404);
    await read(`/api/reports/${has.report}`);
    await read(`/api/reports/${randomUUID()}`, 404);
  });

  it('reads the log', async () => {
    await read('/log/checkpoint');
    await read('/log/consistency?from=1&to=3');
    await read('/log/consistency?from=1', 400);
    await read('/log/content?index=1');
    await read('/log/content?index=0', 404);
    const entries = await plain.board.context.reads.query<{ idx: number }>(
      "SELECT idx FROM log_entry WHERE message_id = $1 AND type = 'post'",
      [has.removed],
    );
    await read(`/log/content?index=${entries[0]?.idx}`, 410);
  });

  it('tells that the clock is not the one of the database', async () => {
    await read('/readyz', 503);
  });

  it('is ready on the clock of the database', async () => {
    const own = await startBoard({});
    try {
      own.clock.set(Date.now());
      const other = await watch(own);
      await other.test.as().get('/readyz').expect(200);
      expect(other.problems).to.deep.equal([]);
      watched.met.add('GET /readyz 200');
    } finally {
      await own.stop();
    }
  });

  it('publishes in every way', async () => {
    const { topic } = has;
    const post = request({ reply_to: topic, body: 'Once more.', vote: -1 });
    const previewed = await preview(test, post);
    await send('/write/publish', { ...filled(previewed), answer: 'x' }, 400);
    await send('/write/publish', { ...filled(previewed), confirm: 'x' }, 400);
    await send('/write/publish', filled(previewed), 201);
    await send('/write/publish', filled(previewed), 200);
    const other = await preview(test, { ...post, body: 'Something else.' });
    await send('/write/publish', filled(other), 409);
    await openPoll(test, PROPOSAL, { title: 'A proposal' });
    await read('/api/polls');
    const link = 'Released: https://project.example/new, try it.';
    await publish(test, { title: 'A project', body: link });
    await preview(test, { title: 'Its news', body: link });
    for (const part of ['one', 'two', 'three']) {
      const series = request({ title: `Weekly field report: ${part}` });
      const answer = await preview(test, series);
      if (part === 'three') {
        expect(answer.body.status).to.equal('series_requires_reply');
      } else await send('/write/publish', filled(answer), 201);
    }
    const phrase = 'On Black Lives Matter.';
    await publish(test, { title: 'A phrase', body: phrase });
    const routed = await preview(test, { title: 'Again', body: phrase });
    expect(routed.body.routing.rule).to.equal('funnel');
    await publish(test, {
      reply_to: topic,
      vote: 1,
      body: 'A vote that stands.',
    });
  });

  it('refuses writes in many ways', async () => {
    const path = '/write/preview';
    const good = request({ reply_to: has.topic });
    await send(path, { ...good, body: ' ' }, 400);
    await send(path, { ...good, body: 'x'.repeat(4001) }, 422);
    await send(path, { ...good, agent_id: `a1${'a'.repeat(32)}` }, 403);
    await send(path, { ...good, rating: 1 }, 400);
    const unknownBoard = { board: 'other.example', agent_id: has.agent.id };
    await send(path, { ...good, ...unknownBoard }, 404);
    const post = () => test.as().post(path);
    const refusals = [
      post().set('Content-Type', 'text/plain').send('x'),
      post().set('Origin', 'http://evil.test').send({}),
      post().query({ a: 1 }).send({}),
      post().send({ body: 'x'.repeat(70_000) }),
      post().set('Content-Type', 'application/json').send('{"a":'),
    ];
    const statuses = (await Promise.all(refusals)).map(({ status }) => status);
    expect(statuses).to.deep.equal([415, 403, 400, 413, 400]);
    const variant = await test.as().get(`${path}?body=x&vote=1&reply_to=1`);
    expect(variant.status).to.equal(405);
    expect(variant.headers.allow).to.equal('POST');
    await send('/write/publish', { ticket: 'x', answer: 'y' }, 400);
    await send('/write/publish', { ticket: 'x' }, 400);
  });

  it('rates', async () => {
    const { topic, removed } = has;
    const from = '198.51.100.20';
    await send(`/api/messages/${topic}/votes/preview`, { vote: 0 }, 200);
    await send(`/api/messages/${topic}/votes/preview`, { vote: 2 }, 400);
    await send(`/api/messages/${removed}/votes/preview`, { vote: 1 }, 404);
    const ticket = await ratingTicket(test, topic, 1, from);
    const path = `/api/messages/${topic}/votes`;
    await send(path, { ...ticket, answer: 'x' }, 400);
    const other = await ratingTicket(test, topic, -1, from);
    const gone = await publish(test, { reply_to: topic, body: 'Soon gone.' });
    const late = await ratingTicket(test, gone.message.id, 1);
    await remove(plain, gone.message.id);
    await send(`/api/messages/${gone.message.id}/votes`, late, 404);
    expect((await castRating(test, topic, ticket)).status).to.equal(409);
    expect((await castRating(test, topic, ticket, from)).status).to.equal(201);
    expect((await castRating(test, topic, ticket, from)).status).to.equal(200);
    expect((await castRating(test, topic, other, from)).status).to.equal(409);
    const again = await previewRating(test, topic, { vote: -1 }, from);
    expect(again.body.existing_vote.vote).to.equal(1);
  });

  it('locks after five wrong answers', async () => {
    const ticket = await ratingTicket(test, has.reply, 1, '198.51.100.30');
    const wrong = { ...ticket, answer: 'wrong' };
    for (const status of [400, 400, 400, 400, 429]) {
      const path = `/api/messages/${has.reply}/votes`;
      await send(path, wrong, status);
    }
  });

  it('votes in polls', async () => {
    const { poll } = has;
    const from = '198.51.100.40';
    const ticket = await ballotTicket(test, poll, 'a', from);
    const other = await ballotTicket(test, poll, 'b', from);
    const cast = (body: object) => castBallot(test, poll, body, from);
    expect((await cast({ ...ticket, answer: 'x' })).status).to.equal(400);
    expect((await cast(ticket)).status).to.equal(201);
    expect((await cast(ticket)).status).to.equal(200);
    expect((await cast(other)).status).to.equal(409);
    await previewBallot(
      test,
      poll,
      { option: 'b', request_id: randomUUID() },
      from,
    );
    const wrong = { option: 'd', request_id: randomUUID() };
    await send(`/api/polls/${poll}/votes/preview`, wrong, 400);
    await send('/api/polls/999/votes/preview', wrong, 404);
    const voided = await openPoll(test, PROPOSAL, { title: 'Off' });
    const late = await ballotTicket(test, voided.id, 'support');
    await remove(plain, voided.rootId);
    await send(`/api/polls/${voided.id}/votes`, late, 404);
    await read(`/api/polls/${voided.id}`);
    await read(`/api/thread/${voided.rootId}`);
    await read('/api/threads?visibility=all');
    await read('/api/polls/updates?limit=100');
    plain.clock.advance(721 * HOUR_MS);
    await plain.board.background.jobs.runOnce('close_polls');
    await read(`/api/polls/${poll}`);
    await read('/api/polls/updates?limit=100');
  });

  it('takes reports and reader events', async () => {
    const report = {
      request_id: randomUUID(),
      kind: 'selection_error',
      card_id: has.card,
      reason: 'other',
      detail: 'Not of that day.',
    };
    await send('/api/reports', report, 201);
    await send('/api/reports', report, 200);
    await send('/api/reports', { ...report, detail: 'Changed.' }, 409);
    await send('/api/reports', { ...report, kind: 'report' }, 400);
    const missing = { request_id: randomUUID(), card_id: '999-1' };
    await send('/api/reports', { ...report, ...missing }, 404);
    await read(`/api/reports/${report.request_id}`);
    const event = { visitor_id: randomUUID(), event: 'visit', consent: true };
    await send('/api/reader-events', event, 202);
    await send('/api/reader-events', { ...event, consent: false }, 400);
  });

  it('takes key events', async () => {
    const [note = ''] = has.agent.notes;
    expect((await sendKey(test, note)).status).to.equal(200);
    expect((await sendKey(test, 'no note')).status).to.equal(400);
    const early = nextEvent(has.agent, 'rotate', { seq: 2 });
    const answer = await sendKey(test, signEvent(has.agent, early));
    expect(answer.status).to.equal(409);
  });

  it('has met every answer that is not the board in trouble', () => {
    const { description, met } = watched;
    // 408, 431, 500 and 503 of the board itself have tests of their own.
    const trouble = / (?:408|429|431|500|503)$/;
    const body = /^POST .* (?:403|413|415|422)$/;
    const log = /(?:^GET \S+ 400|^GET \/write\/preview 400)$/;
    const missed = answersOf(description.document).filter(
      (answer) =>
        !met.has(answer) &&
        !trouble.test(answer) &&
        !body.test(answer) &&
        !log.test(answer),
    );
    expect(missed).to.deep.equal([]);
  });

  it('leaves a log that verifies', async () => {
    await checkLedger(plain);
  });
});
