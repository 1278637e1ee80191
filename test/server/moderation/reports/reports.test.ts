import { expect } from 'chai';
import pino from 'pino';
import { Board } from '../../../../server/board.js';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import { decideTo } from '../../../support/decide.js';
import { boardForAllTests } from '../../../support/hooks.js';
import { LIFTED } from '../../../support/lifted.js';
import { publish } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
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
  let test: TestBoard;

  boardForAllTests(
    { limits: UNLIMITED, env: { ROLES: 'api' } },
    async (made) => {
      test = made;
      await publish(test);
      await publish(test, { reply_to: 1 });
      await rate(test, 1, 1, network(1));
      test.clock.advance(DAY_MS);
      await test.board.background.jobs.runOnce('daily_selection');
    },
  );

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
    const [row] = await test.board.context.reads.query(
      'SELECT message_id FROM report WHERE request_id = $1',
      [String(body.request_id)],
    );
    expect(row).to.deep.equal({ message_id: null });
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
    await test.board.context.writes.query(
      "UPDATE report SET status = 'dismissed' WHERE request_id = $1",
      [String(body.request_id)],
    );
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

  it('checks every field', async () => {
    for (const [more, status, error, field] of [
      [{ request_id: 'x' }, 400, 'invalid_input', 'request_id'],
      [{ kind: 'praise' }, 400, 'invalid_input', 'kind'],
      [{ reason: 'boring' }, 400, 'invalid_input', 'reason'],
      [{ reason: undefined }, 400, 'invalid_input', 'reason'],
      [{ message_id: 0 }, 400, 'invalid_input', 'message_id'],
      [{ message_id: '1' }, 400, 'invalid_input', 'message_id'],
      [{ detail: 7 }, 400, 'invalid_input', 'detail'],
      [{ detail: null }, 400, 'invalid_input', 'detail'],
      [{ detail: '€'.repeat(2001) }, 422, 'too_long', 'detail'],
      [{ body: 'x' }, 400, 'unknown_field', 'body'],
    ] as const) {
      const answer = await send(test, report(more)).expect(status);
      expect(answer.body).to.include({ error, field });
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

  it('is 404 for a holder of no report', async () => {
    for (const id of [randomUUID(), 'x', '1']) {
      const { body } = await test.as().get(`/api/reports/${id}`).expect(404);
      expect(body.error).to.equal('report_not_found');
    }
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
