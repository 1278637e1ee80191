import vectors from '../../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import {
  agentId,
  agentSigner,
  type KeyEvent,
  signKeyEvent,
} from '../../../../protocol/key.js';
import { signNote } from '../../../../protocol/note.js';
import type { ErrorCode } from '../../../../server/errors.js';
import {
  advance,
  freshPair,
  newAgent,
  nextEvent,
  pairOf,
  record,
  register,
  signEvent,
} from '../../../support/agent.js';
import { decideTo } from '../../../support/decide.js';
import {
  filled,
  type Post,
  preview,
  publish,
  request,
} from '../../../support/post.js';
import { freshNetwork, randomUUID } from '../../../support/random.js';
import { opened } from '../../agents/refused.js';
import {
  ballotTicket,
  HOUR_MS,
  openPoll,
  PROPOSAL,
  SURVEY,
} from '../../polls/polling.js';
import { previewRating, ratingTicket } from '../../votes/rating.js';
import type { Walk } from './walk.js';

export function walkWrites({ plain, test, has, read, send }: Walk): void {
  it('publishes in every way', async () => {
    const post = request({ reply_to: has.topic, body: 'Once more.', vote: -1 });
    const previewed = await preview(test, post);
    await send(
      '/write/publish',
      { ...filled(previewed), answer: 'x' },
      'wrong_answer',
    );
    const unsure = { ...filled(previewed), confirm: 'x' };
    await send('/write/publish', unsure, 'confirmation_required');
    await send('/write/publish', filled(previewed), 201);
    await send('/write/publish', filled(previewed), 200);
    const other = await preview(test, { ...post, body: 'Something else.' });
    await send('/write/publish', filled(other), 'request_id_conflict');
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
    const overtaken = await preview(test, { title: 'Late', body: phrase });
    await publish(test, { title: 'A phrase', body: phrase });
    await send('/write/publish', filled(overtaken), 'funnel_thread_changed');
    const routed = await preview(test, { title: 'Again', body: phrase });
    expect(routed.body.routing.rule).to.equal('funnel');
    await publish(test, {
      reply_to: has.topic,
      vote: 1,
      body: 'A vote that stands.',
    });
  });

  it('refuses writes in many ways', async () => {
    const good = request({ reply_to: has.topic });
    const agent_id = `a1${'a'.repeat(32)}`;
    const elsewhere = { board: 'other.example', agent_id: has.agent.id };
    const path = '/write/preview';
    for (const [changed, code] of [
      [{ body: ' ' }, 'invalid_input'],
      [{ body: 'x'.repeat(4001) }, 'too_long'],
      [{ body: 'x'.repeat(70_000) }, 'request_too_large'],
      [{ agent_id }, 'key_unknown'],
      [{ rating: 1 }, 'unknown_field'],
      [{ poll: SURVEY }, 'poll_not_allowed_on_reply'],
      [elsewhere, 'unknown_board'],
    ] as const) {
      await send(path, { ...good, ...changed }, code);
    }
    await send(path, '{"body":"\\u0000"}', 'invalid_unicode');
    const ticket = 'x'.repeat(43);
    const sealed = { ticket, answer: 'y', confirm: 'publish-publicly' };
    await send('/write/publish', sealed, 'ticket_invalid');
    await send('/write/publish', { ticket: 'x', answer: 'y' }, 400);
    await send('/write/publish', { ticket: 'x' }, 400);
    const variant = await test.as().get(`${path}?body=x&vote=1&reply_to=1`);
    expect(variant.status).to.equal(405);
    expect(variant.headers.allow).to.equal('POST');
  });

  it('refuses what was overtaken since its preview', async () => {
    const digest = (n: number) => ({ title: `Weekly digest: ${n}` });
    const rows: [Post, (from: string) => Promise<unknown>, ErrorCode][] = [
      [{}, async () => plain.clock.advance(HOUR_MS), 'ticket_expired'],
      [
        digest(3),
        async () => {
          for (const n of [1, 2]) await publish(test, digest(n));
        },
        'series_requires_reply',
      ],
    ];
    for (const [post, happens, code] of rows) {
      const from = freshNetwork();
      const previewed = await preview(test, post, from);
      await happens(from);
      await send('/write/publish', filled(previewed), code, from);
    }
  });

  it('judges proofs', async () => {
    const path = '/api/proofs/verdict';
    await send(path, { message_id: has.signed }, 200);
    await send(path, { message_id: has.topic }, 'not_signed');
    await send(path, {}, 'invalid_input');
  });

  it('speaks MCP', async () => {
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
    const { topic, removed } = has;
    const from = '198.51.100.20';
    const path = `/api/messages/${topic}/votes`;
    await send(`${path}/preview`, { vote: 0 }, 200);
    await send(`${path}/preview`, { vote: 2 }, 'invalid_input');
    const other = `/api/messages/${removed}/votes/preview`;
    await send(other, { vote: 1 }, 'message_not_found');
    const up = await ratingTicket(test, topic, 1, from);
    const down = await ratingTicket(test, topic, -1, from);
    const gone = await publish(test, { reply_to: topic, body: 'Soon gone.' });
    const late = await ratingTicket(test, gone.message.id, 1);
    await decideTo.remove(plain, gone.message.id);
    const missing = `/api/messages/${gone.message.id}/votes`;
    await send(missing, late, 'message_not_found');
    await send(path, { ...up, answer: 'x' }, 'wrong_answer', from);
    await send(path, up, 'network_changed');
    await send(path, up, 201, from);
    await send(path, up, 200, from);
    await send(path, down, 'already_voted', from);
    const again = await previewRating(test, topic, { vote: -1 }, from);
    expect(again.body.existing_vote.vote).to.equal(1);
  });

  it('locks after five wrong answers', async () => {
    const ticket = await ratingTicket(test, has.reply, 1, '198.51.100.30');
    for (const code of [
      ...Array<ErrorCode>(4).fill('wrong_answer'),
      'challenge_locked' as const,
    ]) {
      const wrong = { ...ticket, answer: 'wrong' };
      await send(`/api/messages/${has.reply}/votes`, wrong, code);
    }
  });

  it('votes in polls', async () => {
    const { poll } = has;
    const path = `/api/polls/${poll}/votes`;
    const from = '198.51.100.40';
    const ticket = await ballotTicket(test, poll, 'a', from);
    const other = await ballotTicket(test, poll, 'b', from);
    await send(path, { ...ticket, answer: 'x' }, 'wrong_answer', from);
    await send(path, ticket, 201, from);
    await send(path, ticket, 200, from);
    await send(path, other, 'already_voted', from);
    const ballot = (option: string) => ({ option, request_id: randomUUID() });
    await send(`${path}/preview`, ballot('b'), 200, from);
    await send(`${path}/preview`, ballot('d'), 'invalid_input');
    const none = '/api/polls/999/votes/preview';
    await send(none, ballot('d'), 'poll_not_found');
    const voided = await openPoll(test, PROPOSAL, { title: 'Off' });
    const late = await ballotTicket(test, voided.id, 'support');
    await decideTo.remove(plain, voided.rootId);
    await send(`/api/polls/${voided.id}/votes`, late, 'poll_not_found');
    await read(`/api/polls/${voided.id}`);
    await read(`/api/thread/${voided.rootId}`);
    await read('/api/threads?visibility=all');
    await read('/api/polls/updates?limit=100');
    const survey = { ...SURVEY, duration_hours: 24 };
    const short = await openPoll(test, survey, { title: 'Short' });
    plain.clock.advance(24 * HOUR_MS - 1000);
    const slow = await ballotTicket(test, short.id, 'a');
    plain.clock.advance(1000);
    await send(`/api/polls/${short.id}/votes`, slow, 'poll_closed');
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
    await send(
      '/api/reports',
      { ...report, detail: 'Changed.' },
      'request_id_conflict',
    );
    await send('/api/reports', { ...report, kind: 'report' }, 'invalid_input');
    const missing = { request_id: randomUUID(), card_id: '999-1' };
    await send(
      '/api/reports',
      { ...report, ...missing },
      'selection_not_found',
    );
    await read(`/api/reports/${report.request_id}`);
    const event = { visitor_id: randomUUID(), event: 'visit', consent: true };
    await send('/api/reader-events', event, 202);
    await send(
      '/api/reader-events',
      { ...event, consent: false },
      'invalid_input',
    );
  });

  it('takes key events', async () => {
    const [note = ''] = has.agent.notes;
    const stranger = newAgent();
    const { id, notes, events } = stranger;
    const [event] = events as [KeyEvent];
    const other = agentSigner(id, freshPair());
    const { text } = opened(notes[0] ?? '');
    const key = Buffer.from(vectors.negative.small_order_public_key_hex, 'hex');
    const weak = { ...event, agent: agentId(key, null), key, next: null };
    const rotated = await register(test);
    await record(test, advance(rotated, 'rotate'));
    const { publicKey } = pairOf(rotated, 0);
    const back = nextEvent(rotated, 'rotate', { key: publicKey });
    const early = nextEvent(has.agent, 'rotate', { seq: 2 });
    for (const [sent, expected] of [
      [note, 200],
      ['no note', 'bad_note'],
      [signNote('reserve-board/post/v1\n', [other]), 'bad_statement'],
      [signNote(text, [other]), 'signature_invalid'],
      [signKeyEvent(weak, freshPair()), 'weak_key'],
      [signEvent(stranger, nextEvent(stranger, 'rotate')), 'key_sequence'],
      [signEvent(has.agent, early), 'key_sequence'],
      [signEvent(rotated, back), 'key_superseded'],
    ] as const) {
      await send('/api/keys', { note: sent }, expected);
    }
    const revoked = await register(test);
    await record(test, advance(revoked, 'revoke'));
    const post = { agent_id: revoked.id };
    await send('/write/preview', request(post), 'key_revoked');
    const rival = await register(test);
    const [first] = rival.events as [KeyEvent];
    const second = signEvent(rival, { ...first, at: first.at + 1 });
    await send('/api/keys', { note: second }, 'key_conflict');
    const more = request({ agent_id: rival.id });
    await send('/write/preview', more, 'key_conflicted');
  });
}
