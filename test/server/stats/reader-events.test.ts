import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { randomUUID } from '../../support/random.js';

const DAY_MS = 86_400_000;

describe('/api/reader-events', () => {
  let test: TestBoard;

  beforeEach(async () => {
    test = await startBoard({ env: { ROLES: 'api' } });
  });

  afterEach(() => test.stop());

  const event = (more: object = {}) => ({
    visitor_id: randomUUID(),
    event: 'visit',
    consent: true,
    ...more,
  });
  const send = (body: object) =>
    test.as().post('/api/reader-events').send(body);
  const browser = async () =>
    (await test.as().get('/api/usefulness')).body.browser;

  it('answers 202 recorded', async () => {
    for (const name of ['visit', 'selection_open', 'source_open']) {
      const answer = await send(event({ event: name })).expect(202);
      expect(answer.body).to.deep.equal({ status: 'recorded' });
    }
  });

  it('wants a consent that is true, and nothing else', async () => {
    for (const consent of [false, null, 'true', 1, undefined]) {
      const answer = await send(event({ consent })).expect(400);
      expect(answer.body).to.include({
        error: 'invalid_input',
        field: 'consent',
      });
    }
    expect((await browser()).visits).to.equal(0);
  });

  it('checks every field', async () => {
    for (const [more, error, field] of [
      [{ visitor_id: 'x' }, 'invalid_input', 'visitor_id'],
      [{ visitor_id: undefined }, 'invalid_input', 'visitor_id'],
      [{ event: 'click' }, 'invalid_input', 'event'],
      [{ page: '/' }, 'unknown_field', 'page'],
    ] as const) {
      const answer = await send(event(more)).expect(400);
      expect(answer.body).to.include({ error, field });
    }
  });

  it('counts visits, opened selections and sources by visitor', async () => {
    const visitor_id = randomUUID();
    await send(event({ visitor_id }));
    await send(event({ visitor_id: visitor_id.toUpperCase() }));
    await send(event({ visitor_id, event: 'selection_open' }));
    await send(event({ event: 'source_open' }));
    expect(await browser()).to.deep.equal({
      visitors: 2,
      visits: 2,
      selection_open: 1,
      source_open: 1,
      opt_in: true,
    });
  });

  it('leaves monitoring out', async () => {
    await send(event()).set('X-Board-Source', 'board-monitor').expect(202);
    expect((await browser()).visits).to.equal(0);
  });

  it('keeps a visitor only as the hash of a day', async () => {
    const visitor_id = randomUUID();
    await send(event({ visitor_id }));
    test.clock.advance(DAY_MS);
    await send(event({ visitor_id }));
    const rows = await test.board.context.reads.query<{ visitor: Buffer }>(
      'SELECT visitor FROM reader_event ORDER BY day',
    );
    const [first, second] = rows.map(({ visitor }) => visitor.toString('hex'));
    expect(first).to.have.length(64);
    expect(first).not.to.equal(second);
    expect((await browser()).visitors).to.equal(2);
  });

  it('forgets it after 35 days', async () => {
    const { jobs } = test.board.background;
    await send(event());
    const rows = async () =>
      await test.board.context.reads.query('SELECT day FROM reader_event');
    test.clock.set(Date.UTC(2026, 1, 19) - 1);
    await jobs.runOnce('sweep');
    expect(await rows()).to.have.length(1);
    expect((await browser()).visits).to.equal(1);
    test.clock.set(Date.UTC(2026, 1, 19, 0, 1));
    expect((await browser()).visits).to.equal(0);
    await jobs.runOnce('sweep');
    expect(await rows()).to.have.length(0);
  });
});
