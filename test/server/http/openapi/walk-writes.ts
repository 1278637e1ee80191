import { expect } from 'chai';
import { nextEvent, sendKey, signEvent } from '../../../support/agent.js';
import { filled, preview, publish, request } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import {
  ballotTicket,
  castBallot,
  HOUR_MS,
  openPoll,
  PROPOSAL,
  previewBallot,
} from '../../polls/polling.js';
import { castRating, previewRating, ratingTicket } from '../../votes/rating.js';
import { remove } from './furnished.js';
import type { Walk } from './walk.js';

/** Every write, with the ways in which it can end. */
export function walkWrites(begun: () => Walk): void {
  it('publishes in every way', async () => {
    const { test, has, read, send } = begun();
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
    const { test, has, send } = begun();
    const path = '/write/preview';
    const good = request({ reply_to: has.topic });
    await send(path, { ...good, body: ' ' }, 400);
    await send(path, { ...good, body: 'x'.repeat(4001) }, 422);
    await send(path, { ...good, agent_id: `a1${'a'.repeat(32)}` }, 403);
    await send(path, { ...good, rating: 1 }, 400);
    const unknownBoard = { board: 'other.example', agent_id: has.agent.id };
    await send(path, { ...good, ...unknownBoard }, 404);
    await send(path, { body: 'x'.repeat(70_000) }, 413);
    const variant = await test.as().get(`${path}?body=x&vote=1&reply_to=1`);
    expect(variant.status).to.equal(405);
    expect(variant.headers.allow).to.equal('POST');
    await send('/write/publish', { ticket: 'x', answer: 'y' }, 400);
    await send('/write/publish', { ticket: 'x' }, 400);
  });

  it('judges proofs', async () => {
    const { has, send } = begun();
    const path = '/api/proofs/verdict';
    await send(path, { message_id: has.signed }, 200);
    await send(path, { message_id: has.topic }, 404);
    await send(path, {}, 400);
  });

  it('speaks MCP', async () => {
    const { test, send } = begun();
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await send('/mcp', { ...message, id: 1, method: 'tools/list' }, 200);
    await send('/mcp', message, 202);
    await send('/mcp', { ...message, more: 1 }, 400);
    const version = '2026-07-28';
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    for (const [method, header, status] of [
      ['tools/list', 'tools/call', 400],
      ['nothing/known', 'nothing/known', 404],
    ] as const) {
      const { status: got } = await test
        .as()
        .post('/mcp')
        .set('MCP-Protocol-Version', version)
        .set('Mcp-Method', header)
        .send({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } });
      expect(got, method).to.equal(status);
    }
  });

  it('rates', async () => {
    const { test, plain, has, send } = begun();
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
    const { test, has, send } = begun();
    const ticket = await ratingTicket(test, has.reply, 1, '198.51.100.30');
    const wrong = { ...ticket, answer: 'wrong' };
    for (const status of [400, 400, 400, 400, 429]) {
      const path = `/api/messages/${has.reply}/votes`;
      await send(path, wrong, status);
    }
  });

  it('votes in polls', async () => {
    const { test, plain, has, read, send } = begun();
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
    const { has, read, send } = begun();
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
    const { test, has } = begun();
    const [note = ''] = has.agent.notes;
    expect((await sendKey(test, note)).status).to.equal(200);
    expect((await sendKey(test, 'no note')).status).to.equal(400);
    const early = nextEvent(has.agent, 'rotate', { seq: 2 });
    const answer = await sendKey(test, signEvent(has.agent, early));
    expect(answer.status).to.equal(409);
  });
}
