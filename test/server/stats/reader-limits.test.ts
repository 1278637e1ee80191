import { givenBoard } from '../../support/hooks.js';
import { randomUUID } from '../../support/random.js';

describe('The limits of reader events', () => {
  const test = givenBoard({
    limits: {
      reader_events_per_visitor_day: 5,
      reader_events_per_board_day: 60,
    },
  });
  beforeEach(() => test.clock.advance(24 * 3_600_000));

  async function send(visitor_id: string, from: string): Promise<string> {
    const { status, body } = await test.post(
      '/api/reader-events',
      { visitor_id, event: 'visit', consent: true },
      from,
    );
    return status === 202 ? 'recorded' : body.scope;
  }
  async function count(answers: Promise<string>[]) {
    const counts: Record<string, number> = {};
    for (const it of await Promise.all(answers)) {
      counts[it] = (counts[it] ?? 0) + 1;
    }
    return counts;
  }
  const times = (n: number, one: () => Promise<string>) =>
    [...Array(n)].map(one);

  it('lets 20 of 30 new visitors pass for a network, and others', async () => {
    const known = randomUUID();
    expect(await send(known, '198.51.100.1')).to.equal('recorded');
    const all = times(29, () => send(randomUUID(), '198.51.100.1'));
    expect(await count(all)).to.deep.equal({
      recorded: 19,
      reader_visitors_per_network_day: 10,
    });
    expect(await send(known, '198.51.100.1')).to.equal('recorded');
    expect(await send(randomUUID(), '198.51.100.2')).to.equal('recorded');
  });

  it('lets so many events of a visitor pass, from any network', async () => {
    const visitor = randomUUID();
    let n = 0;
    const all = times(9, () => {
      n += 1;
      return send(visitor, `198.51.100.${n}`);
    });
    expect(await count(all)).to.deep.equal({
      recorded: 5,
      reader_events_per_visitor_day: 4,
    });
  });

  it('lets so many of the whole board pass, and more the next day', async () => {
    let n = 0;
    const all = times(70, () => {
      n += 1;
      return send(randomUUID(), `198.51.100.${n % 10}`);
    });
    expect(await count(all)).to.deep.equal({
      recorded: 60,
      reader_events_per_board_day: 10,
    });
    test.clock.advance(24 * 3_600_000);
    expect(await send(randomUUID(), '198.51.100.1')).to.equal('recorded');
  });
});
