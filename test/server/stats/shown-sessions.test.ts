import { expect } from 'chai';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Exact and live, they told whether two posts are of one network. */
describe('What is told of the networks of today', () => {
  const test = givenBoard({ limits: LIFTED, env: { ROLES: 'api' } });

  beforeEach(() => test.clock.advance(24 * HOUR_MS));

  const read = async (path: string) => {
    await test.flush();
    test.clock.advance(MINUTE_MS); // usefulness is computed once a minute
    return await test
      .as('192.0.2.1')
      .get(path)
      .set('X-Board-Source', 'board-monitor');
  };
  const shown = async () => {
    const { body } = await read('/api/stats');
    const { network_days: days } = (await read('/api/usefulness')).body;
    const { total, affected } = days;
    return { ...body.telemetry, total, affected };
  };

  it('does not change with a message, whoever writes', async () => {
    const before = await shown();
    for (const n of [1, 1, 2, 3, 1]) {
      await publish(test, {}, `198.51.100.${n}`);
      expect(await shown()).to.deep.equal(before);
    }
    test.clock.advance(HOUR_MS);
    // Fewer than ten.
    expect(await shown()).to.deep.equal(before);
  });

  it('is that of the last full hour, in tens', async () => {
    const before = await shown();
    for (let n = 1; n <= 25; n += 1) {
      const from = `203.0.113.${n}`;
      await test.as(from).get('/api/threads');
      if (n <= 12) await test.as(from).get('/api/messages/99999');
    }
    expect(await shown()).to.deep.equal(before);
    test.clock.advance(HOUR_MS);
    const later = {
      ...before,
      reader_sessions: before.reader_sessions + 20,
      total: before.total + 20,
      affected: before.affected + 10,
    };
    expect(await shown()).to.deep.equal(later);
    // What they do in this hour shows in the next one only.
    for (let n = 1; n <= 11; n += 1) {
      await publish(test, {}, `203.0.113.${n}`);
    }
    expect(await shown()).to.deep.equal(later);
    test.clock.advance(HOUR_MS);
    const last = {
      ...later,
      writer_sessions: later.writer_sessions + 10,
    };
    expect(await shown()).to.deep.equal(last);
    test.clock.advance(24 * HOUR_MS);
    // The day is over, and counted exactly.
    const whole = await shown();
    expect(whole.writer_sessions - before.writer_sessions).to.equal(11);
    expect(whole.reader_sessions - before.reader_sessions).to.equal(25);
    expect(whole.affected - before.affected).to.equal(12);
  });
});
