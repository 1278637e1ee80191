import { DAY_MS } from '../../../server/clock.js';
import {
  ReaderEvent,
  UsefulnessReport,
} from '../../../server/db/entities/stats.js';
import { publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { publish, submit } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';

describe('/api/usefulness', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });

  /** Nothing of the test before is in the window any more. */
  afterEach(() => test.clock.advance(40 * DAY_MS));

  const read = async () => {
    await test.flush();
    test.clock.advance(60_000); // computed once a minute
    return (await test.as('192.0.2.9').get('/api/usefulness').expect(200)).body;
  };

  it('has its members and is never cached', async () => {
    const { body, headers } = await test.as().get('/api/usefulness');
    expect(body).to.include.all.keys(
      'window',
      'keys',
      'browser',
      'errors',
      'network_days',
      'reports',
      'generated_at',
    );
    expect(body.window).to.deep.equal({
      start: '2025-12-12T00:00:00Z',
      end: '2026-01-16T00:00:00Z',
    });
    expect(body.keys).to.include({ seen: 0, returned: 0 });
    expect(body.keys.definition).to.be.a('string');
    expect(body.network_days.definition).to.be.a('string');
    expect(body.browser.opt_in).to.equal(true);
    expect(body.reports).to.deep.equal([]);
    expect(body.generated_at).to.equal('2026-01-15T12:00:00Z');
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.property('etag');
  });

  it('counts keys, and those that published on a later UTC day', async () => {
    const [one, two, three] = [
      await register(test),
      await register(test),
      await register(test),
    ];
    const { id } = (await publish(test)).message;
    const sign = async (agent: typeof one) =>
      (await publishSigned(test, agent, { reply_to: id })).message.id;
    for (const agent of [one, one, two, three]) await sign(agent);
    expect((await read()).keys).to.include({ seen: 3, returned: 0 });
    test.clock.advance(DAY_MS / 2);
    await sign(one);
    const gone = await sign(two);
    expect((await read()).keys).to.include({ seen: 3, returned: 2 });
    await decideTo.remove(test, gone);
    expect((await read()).keys).to.include({ seen: 3, returned: 1 });
    test.clock.advance(35 * DAY_MS);
    await sign(three);
    expect(
      (await read()).keys,
      'its first day lies before the window',
    ).to.include({ seen: 1, returned: 1 });
  });

  it('counts errors by operation and code, the most frequent first', async () => {
    for (let n = 0; n < 3; n += 1) await test.as().get('/api/messages/7');
    await test.as().get('/api/messages/x?preview=7');
    await test.as().get('/api/threads?limit=0');
    await test.as().post('/write/preview').send({ body: '' });
    await submit(test, { ticket: 'x', answer: 'y' });
    await test.as().get('/api/nowhere');
    expect((await read()).errors).to.deep.equal([
      {
        operation: 'GET /api/messages/:id',
        code: 'message_not_found',
        count: 4,
      },
      { operation: 'GET /api/threads', code: 'invalid_input', count: 1 },
      { operation: 'GET unmatched', code: 'not_found', count: 1 },
      { operation: 'write_preview', code: 'invalid_input', count: 1 },
      { operation: 'write_publish', code: 'ticket_invalid', count: 1 },
    ]);
  });

  it('counts network-days, and those with an error', async () => {
    for (const from of ['198.51.100.1', '198.51.100.2']) {
      await test.as(from).get('/api/threads');
    }
    await test.as('198.51.100.2').get('/api/messages/9');
    await test
      .get('/api/messages/9', '198.51.100.3')
      .set('X-Board-Source', 'board-monitor');
    await test.flush();
    test.clock.advance(DAY_MS);
    expect((await read()).network_days).to.include({ total: 2, affected: 1 });
    await test.as('198.51.100.2').get('/api/messages/9');
    await test.flush();
    test.clock.advance(DAY_MS);
    const { network_days: days, errors } = await read();
    // The network that asked on the second day is a network-day too.
    expect(days).to.include({ total: 4, affected: 2 });
    expect(errors[0].count).to.equal(2);
  });

  it('keeps the numbers of days that were folded away', async () => {
    const { jobs } = test.board.background;
    await test.as('198.51.100.1').get('/api/messages/9');
    await test.flush();
    test.clock.advance(2 * DAY_MS);
    await jobs.runOnce('sweep');
    expect((await read()).network_days).to.include({ total: 1, affected: 1 });
    test.clock.advance(35 * DAY_MS);
    const { network_days: days, errors } = await read();
    expect(days).to.include({ total: 0, affected: 0 });
    expect(errors).to.deep.equal([]);
  });

  it('serves the reports that operators published, and no draft', async () => {
    const now = test.clock.now();
    for (const [id, publishedAt] of [
      [1, now],
      [2, null],
    ] as const) {
      await rows(test).insert(UsefulnessReport, {
        ...{ id, periodStart: 0, periodEnd: DAY_MS, createdAt: 1, publishedAt },
        ...{ metrics: { keys: { seen: 3 } }, note: 'A note.', operator: 'op' },
      });
    }
    expect((await read()).reports).to.deep.equal([
      {
        id: 1,
        period: { start: '1970-01-01T00:00:00Z', end: '1970-01-02T00:00:00Z' },
        metrics: { keys: { seen: 3 } },
        note: 'A note.',
        operator: 'op',
        published_at: new Date(now).toISOString().replace('.000Z', 'Z'),
      },
    ]);
    const change = (id: number) =>
      rows(test).update(UsefulnessReport, { id }, { note: 'Better.' });
    await change(2);
    const final = await change(1).catch((error) => error.driverError.code);
    expect(final).to.equal('23000');
  });

  it('waits with searches and exports on connections of their own', async () => {
    const { slowReads } = test.board.context;
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let holding = 0;
    const held = Array.from({ length: 7 }, () =>
      slowReads.withClient(async () => {
        holding += 1;
        await gate;
      }),
    );
    await until('all connections are held', () => holding === 7);
    test.clock.advance(60_000);
    let answered = 0;
    const slow = ['/api/usefulness', '/api/search?q=ab', '/all.txt'].map(
      async (path) => {
        const { status } = await test.as('192.0.2.77').get(path);
        answered += 1;
        return status;
      },
    );
    for (let n = 0; n < 12; n += 1) {
      await test.get(`/api/threads?limit=${n + 1}`, '192.0.2.78').expect(200);
    }
    expect(answered).to.equal(0);
    open();
    await Promise.all(held);
    expect(await Promise.all(slow)).to.deep.equal([200, 200, 200]);
  });

  describe('/api/reader-events', () => {
    const sweep = () => test.board.background.jobs.runOnce('sweep');

    /** A day of which all the days before it are forgotten. */
    beforeEach(async () => {
      test.clock.advance(40 * DAY_MS);
      await sweep();
    });

    const event = (more: object = {}) => ({
      visitor_id: randomUUID(),
      event: 'visit',
      consent: true,
      ...more,
    });
    const send = (body: object) =>
      test.as().post('/api/reader-events').send(body);
    const browser = async () => {
      test.clock.advance(60_000);
      return (await test.as().get('/api/usefulness')).body.browser;
    };

    it('answers 202 recorded', async () => {
      for (const name of ['visit', 'selection_open', 'source_open']) {
        const answer = await send(event({ event: name })).expect(202);
        expect(answer.body).to.deep.equal({ status: 'recorded' });
      }
    });

    it('wants a consent that is true, a UUID and an event that is known', async () => {
      for (const wrong of [
        { consent: false },
        { visitor_id: 'x' },
        { event: 'click' },
      ]) {
        const { body } = await send(event(wrong)).expect(400);
        expect(body.field).to.equal(Object.keys(wrong)[0]);
      }
      expect((await browser()).visits).to.equal(0);
    });

    it('counts visits, opened selections and sources by visitor', async () => {
      const visitor_id = randomUUID();
      await send(event({ visitor_id }));
      await send(event({ visitor_id: visitor_id.toUpperCase() }));
      await send(event({ visitor_id, event: 'selection_open' }));
      await send(event({ event: 'source_open' }));
      test.clock.advance(DAY_MS);
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
      const events = await rows(test).find(ReaderEvent, { order: { day: 1 } });
      const [first, second] = events.map(({ visitor }) =>
        visitor.toString('hex'),
      );
      expect(first).to.have.length(64);
      expect(first).not.to.equal(second);
      test.clock.advance(DAY_MS);
      expect((await browser()).visitors).to.equal(2);
    });

    it('deletes it with its day, and counts the totals of 35 days', async () => {
      await send(event());
      const stored = () => rows(test).count(ReaderEvent);
      const now = test.clock.now();
      const midnight = now - (now % DAY_MS) + DAY_MS;
      test.clock.set(midnight - 1);
      await sweep();
      expect(await stored()).to.equal(1);
      test.clock.set(midnight + 60_000);
      await sweep();
      expect(await stored()).to.equal(0);
      test.clock.set(midnight + 34 * DAY_MS - 120_000);
      expect(await browser()).to.include({ visitors: 1, visits: 1 });
      test.clock.set(midnight + 34 * DAY_MS);
      expect(await browser()).to.include({ visitors: 0, visits: 0 });
    });
  });
});
