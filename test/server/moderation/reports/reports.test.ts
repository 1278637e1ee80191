import pino from 'pino';
import { agentSigner } from '../../../../protocol/key.js';
import {
  type RemovalRequest,
  signRemovalRequest,
} from '../../../../protocol/removal-request.js';
import { Board } from '../../../../server/board.js';
import { Report } from '../../../../server/db/entities/report.js';
import {
  currentPair,
  newAgent,
  publishSigned,
  register,
} from '../../../support/agent.js';
import { startBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import { decideTo } from '../../../support/decide.js';
import { givenBoard } from '../../../support/hooks.js';
import { LIFTED } from '../../../support/lifted.js';
import { publish } from '../../../support/post.js';
import { rows } from '../../../support/rows.js';
import { network, rate } from '../../votes/rating.js';
import { report, send } from './reporting.js';

const DAY_MS = 86_400_000;
const PLENTY = 1_000_000;

const UNLIMITED = {
  ...LIFTED,
  reports_per_network_10_minutes: PLENTY,
  reports_per_network_day: PLENTY,
  reports_per_board_day: PLENTY,
};

describe('/api/reports', () => {
  const test = givenBoard({ limits: UNLIMITED, env: { ROLES: 'api' } });

  before(async () => {
    await publish(test);
    await publish(test, { reply_to: 1 });
    await rate(test, 1, 1, network(1));
    test.clock.advance(DAY_MS);
    await test.board.background.jobs.runOnce('daily_selection');
  });

  it('is repeated under the UUID of an example that was accepted', async () => {
    const requestId = '123e4567-e89b-12d3-a456-426614174000';
    const first = report();
    await send(test, first).expect(201);
    const kept = { requestId: String(first.request_id) };
    await rows(test).update(Report, kept, { requestId });
    await send(test, { ...first, request_id: requestId }).expect(200);
    await rows(test).update(Report, { requestId }, kept);
    await send(test, { ...first, request_id: requestId }).expect(400);
  });

  it('answers 201 with a receipt and where to ask later', async () => {
    const body = report({ detail: 'Look at this.' });
    const answer = await send(test, body).expect(201);
    expect(answer.body).to.deep.equal({
      request_id: body.request_id,
      status: 'received',
      kind: 'report',
      message_id: 1,
      created_at: '2026-01-16T12:00:00Z',
      status_url: `http://board.test/api/reports/${body.request_id}`,
    });
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers).not.to.have.property('access-control-allow-origin');
    const status = await test.as().get(`/api/reports/${body.request_id}`);
    expect(status.body).to.deep.equal(answer.body);
    expect(status.headers['cache-control']).to.equal('no-store');
  });

  it('takes appeals, and reports of removed messages', async () => {
    await decideTo.remove(test, 2);
    await send(test, report({ kind: 'appeal', message_id: 2 })).expect(201);
    await send(test, report({ message_id: 2 })).expect(201);
  });

  it('takes a selection_error against a card, not against its message', async () => {
    const body = report({ kind: 'selection_error', card_id: '1-1' });
    const { message_id: _, ...withCard } = body;
    const answer = await send(test, withCard).expect(201);
    expect(answer.body).to.deep.include({
      kind: 'selection_error',
      card_id: '1-1',
    });
    expect(answer.body).not.to.have.property('message_id');
    const requestId = String(body.request_id);
    const row = await rows(test).findOneByOrFail(Report, { requestId });
    expect(row.messageId).to.equal(null);
  });

  it('takes every reason, disagreement among them', async () => {
    for (const reason of [
      'spam',
      'advertising',
      'dangerous_instructions',
      'rating_visibility',
      'disagreement',
      'other',
    ]) {
      await send(test, report({ reason })).expect(201);
    }
  });

  it('answers an exact retry with the same receipt, whatever became of it', async () => {
    const body = report({ detail: 'x' });
    const first = await send(test, body).expect(201);
    test.clock.advance(60_000);
    const from = '198.51.100.7';
    const again = await send(test, body, from).expect(200);
    expect(again.body).to.deep.equal(first.body);
    const upper = {
      ...body,
      request_id: String(body.request_id).toUpperCase(),
    };
    await send(test, upper).expect(200);
    const requestId = String(body.request_id);
    await rows(test).update(Report, { requestId }, { status: 'dismissed' });
    expect((await send(test, body).expect(200)).body).to.deep.equal(first.body);
    const status = await test.as().get(`/api/reports/${body.request_id}`);
    expect(status.body.status).to.equal('dismissed');
  });

  it('answers 409 when anything of it changed', async () => {
    const body = report({ detail: 'x' });
    await send(test, body).expect(201);
    for (const changed of [
      { detail: 'y' },
      { detail: '' },
      { reason: 'other' },
      { kind: 'appeal' },
      { message_id: 2 },
    ]) {
      const answer = await send(test, { ...body, ...changed }).expect(409);
      expect(answer.body).to.include({
        error: 'request_id_conflict',
        field: 'request_id',
      });
    }
  });

  it('takes an absent detail and an empty one for the same', async () => {
    const body = report();
    await send(test, body).expect(201);
    await send(test, { ...body, detail: '' }).expect(200);
  });

  it('wants exactly one subject, of the right kind', async () => {
    const without = ({ message_id: _, ...rest }: Record<string, unknown>) =>
      rest;
    const error = { kind: 'selection_error' };
    for (const [body, field] of [
      [without(report()), 'message_id'],
      [report({ card_id: '1-1' }), 'card_id'],
      [without(report({ card_id: '1-1' })), 'card_id'],
      [report({ ...error }), 'message_id'],
      [report({ ...error, card_id: '1-1' }), 'message_id'],
      [without(report(error)), 'card_id'],
      [without(report({ ...error, card_id: 'x' })), 'card_id'],
    ] as const) {
      const answer = await send(test, body).expect(400);
      expect(answer.body).to.include({ error: 'invalid_input', field });
    }
  });

  it('wants a UUID, a kind and a detail of 2,000 code points at most', async () => {
    for (const [field, value] of [
      ['request_id', 'x'],
      ['kind', 'praise'],
      ['detail', '€'.repeat(2001)],
    ] as const) {
      const { body } = await send(test, report({ [field]: value }));
      expect(body.field).to.equal(field);
    }
    await send(test, report({ detail: '€'.repeat(2000) })).expect(201);
  });

  it('knows its subjects', async () => {
    const message = await send(test, report({ message_id: 99 })).expect(404);
    expect(message.body.error).to.equal('message_not_found');
    const { message_id: _, ...card } = report({
      kind: 'selection_error',
      card_id: '1-9',
    });
    const answer = await send(test, card).expect(404);
    expect(answer.body.error).to.equal('selection_not_found');
  });

  it('of one request_id at once are one report', async () => {
    const body = report();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(test, body, network(n))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).to.have.length(1);
    expect(statuses.filter((status) => status === 200)).to.have.length(39);
  });

  describe('what the board finds out about a report', () => {
    let agent: Awaited<ReturnType<typeof register>>;
    let id: number;
    let hash: Buffer;
    let stranger: ReturnType<typeof newAgent>;

    before(async () => {
      await publish(test);
      agent = await register(test);
      stranger = newAgent();
      const receipt = await publishSigned(test, agent);
      id = receipt.message.id;
      hash = Buffer.from(receipt.message_hash, 'base64');
    });

    const request = (more: Partial<RemovalRequest> = {}): RemovalRequest => ({
      board: 'board.test',
      message: hash,
      at: test.clock.now(),
      ...more,
    });

    const isVerified = async (requestId: string) =>
      (await rows(test).findOneByOrFail(Report, { requestId })).authorVerified;

    it('takes every reason that a decision can have', async () => {
      for (const reason of ['privacy', 'legal', 'author_request']) {
        await send(test, report({ reason })).expect(201);
      }
    });

    it('verifies the removal request of the author, also after other words', async () => {
      for (const words of ['', 'Please remove this.\n\n']) {
        const note = by(request());
        const sent = report({
          message_id: id,
          reason: 'author_request',
          detail: `${words}${note}`,
        });
        const { body } = await send(test, sent).expect(201);
        expect(body.note).to.match(/^Verified/);
        expect(await isVerified(body.request_id)).to.equal(true);
        const again = await send(test, sent).expect(200);
        expect(again.body).to.deep.equal(body);
        const state = await test.as().get(`/api/reports/${body.request_id}`);
        expect(state.body.note).to.equal(body.note);
      }
    });

    for (const [name, words, note] of [
      [
        'another board',
        'another board',
        () => by(request({ board: 'b.test' })),
      ],
      [
        'another message',
        'message_hash',
        () => by(request({ message: Buffer.alloc(32) })),
      ],
      [
        'another day',
        'its time',
        () => by(request({ at: test.clock.now() - 900_001 })),
      ],
      ['another key', 'no note', () => by(request(), stranger, stranger)],
      [
        'the key of another under the name of the author',
        'no note',
        () => by(request(), agent, stranger),
      ],
      [
        'a changed text',
        'no note',
        () => by(request()).replace('board board.test', 'board board.tast'),
      ],
      ['no signature', 'no note', () => by(request()).split('\n\n')[0] ?? ''],
    ] as [string, string, () => string][]) {
      it(`takes a request for ${name}, unverified, and says why`, async () => {
        const { body } = await send(
          test,
          report({ message_id: id, reason: 'author_request', detail: note() }),
        ).expect(201);
        expect(body.note).to.include('not verified').and.to.include(words);
        expect(await isVerified(body.request_id)).to.equal(false);
      });
    }

    const by = (it: RemovalRequest, { id } = agent, key = agent) =>
      signRemovalRequest(it, agentSigner(id, currentPair(key)));

    it('says that nobody signed the message', async () => {
      const detail = by(request());
      const { body } = await send(test, report({ detail })).expect(201);
      expect(body.note).to.include('unsigned');
    });

    it('says of an appeal that there is no decision to reverse, until there is one', async () => {
      const appeal = () =>
        send(test, report({ kind: 'appeal', message_id: id }));
      const first = await appeal().expect(201);
      expect(first.body.note).to.include('neither hidden nor decided about');
      await decideTo.remove(test, id);
      const second = await appeal().expect(201);
      expect(second.body).not.to.have.property('note');
    });
  });
});

describe('The text of a report', () => {
  it('is in no read and in no line of the log', async () => {
    const lines: string[] = [];
    const test = await startBoard({ limits: UNLIMITED });
    const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
    const { config, clock } = test.board.context;
    const logging = await Board.create(config, {
      clock,
      log,
      timeoutFactor: 10,
    });
    const port = await logging.start();
    await publish(test);
    const secret = 'the owl is not what it seems';
    const body = report({ detail: secret });
    const sendLogged = (each: object) =>
      fetch(`http://127.0.0.1:${port}/api/reports`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Forwarded-For': '203.0.113.1',
        },
        body: JSON.stringify(each),
      });
    for (const each of [body, body, { ...body, detail: `${secret}!` }]) {
      expect((await sendLogged(each)).status).to.be.below(410);
    }
    const { writes } = logging.context;
    await writes.query('ALTER TABLE report RENAME TO away');
    const failed = await sendLogged(report({ detail: secret }));
    expect(failed.status).to.equal(500);
    expect(await failed.text()).not.to.include('owl');
    await writes.query('ALTER TABLE away RENAME TO report');
    for (const path of [
      `/api/reports/${body.request_id}`,
      '/api/moderation',
      '/api/moderation/1',
      '/api/usefulness',
      '/api/stats',
      '/api/messages/1?full=1',
      '/all.txt',
      ...['/moderation', '/t/1', '/'],
    ]) {
      const { text } = await test.as().get(path).expect(200);
      expect(text, path).not.to.include('owl');
    }
    await logging.stop();
    expect(lines.join('')).to.include('a request failed');
    expect(lines.join('')).not.to.include('owl');
    await checkLedger(test);
    await test.stop();
  });
});
