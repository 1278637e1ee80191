import { expect } from 'chai';
import { publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { boardForEachTest } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';

const DAY_MS = 86_400_000;

describe('/api/usefulness', () => {
  let test: TestBoard;

  boardForEachTest({ limits: LIFTED, env: { ROLES: 'api' } }, (made) => {
    test = made;
  });

  const read = async () => {
    await test.flush();
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
    await publish(test);
    const sign = async (agent: typeof one) =>
      (await publishSigned(test, agent, { reply_to: 1 })).message.id;
    for (const agent of [one, one, two, three]) await sign(agent);
    expect((await read()).keys).to.include({ seen: 3, returned: 0 });
    test.clock.set(Date.UTC(2026, 0, 16));
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
    await test.as().post('/write/publish').send({ ticket: 'x', answer: 'y' });
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
      .as('198.51.100.3')
      .get('/api/messages/9')
      .set('X-Board-Source', 'board-monitor');
    expect((await read()).network_days).to.include({ total: 2, affected: 1 });
    test.clock.advance(DAY_MS);
    await test.as('198.51.100.2').get('/api/messages/9');
    const { network_days: days, errors } = await read();
    // Whoever asked on the first day is a network-day too.
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
    const { writes } = test.board.context;
    const insert = (id: number, published: number | null) =>
      writes.query(
        `INSERT INTO usefulness_report (id, period_start, period_end, metrics,
           note, operator, created_at, published_at)
         VALUES ($1, 0, 86400000, '{"keys": {"seen": 3}}', 'A note.', 'op', 1,
           $2)`,
        [id, published],
      );
    await insert(1, test.clock.now());
    await insert(2, null);
    expect((await read()).reports).to.deep.equal([
      {
        id: 1,
        period: {
          start: '1970-01-01T00:00:00Z',
          end: '1970-01-02T00:00:00Z',
        },
        metrics: { keys: { seen: 3 } },
        note: 'A note.',
        operator: 'op',
        published_at: '2026-01-15T12:00:00Z',
      },
    ]);
    await writes.query('UPDATE usefulness_report SET note = $1 WHERE id = 2', [
      'Better.',
    ]);
    const final = await writes
      .query("UPDATE usefulness_report SET note = 'Else.' WHERE id = 1")
      .then(
        () => null,
        (error: { code: string }) => error.code,
      );
    expect(final).to.equal('23000');
  });
});
