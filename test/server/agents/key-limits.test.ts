import { DAY_MS } from '../../../server/clock.js';
import {
  type Agent,
  advance,
  newAgent,
  nextEvent,
  record,
  register,
  sendKey,
  signEvent,
} from '../../support/agent.js';
import { givenBoard } from '../../support/hooks.js';
import { freshNetwork } from '../../support/random.js';

type Answer = Awaited<ReturnType<typeof sendKey>>;

function count(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = body.scope ?? body.error ?? String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('the limits of key events', () => {
  // A hundred and fifty an hour, a fifth of them for one place.
  const test = givenBoard({ limits: { keys_per_board_hour: 150 } });
  let home: string;

  /** Noon of a day on which nothing is spent. */
  beforeEach(() => {
    test.clock.advance(DAY_MS - (test.clock.now() % DAY_MS) + DAY_MS / 2);
    home = freshNetwork();
  });

  const send = (agents: readonly Agent[], from: (at: number) => string) =>
    Promise.all(
      agents.map((agent, at) => sendKey(test, agent.notes[0], from(at))),
    );

  const many = (count: number) =>
    Array.from({ length: count }, () => newAgent());

  const places: [string, (at: number) => string, other: string][] = [
    ['an IPv4 /24', (at) => `198.51.100.${at + 1}`, '198.51.101.1'],
    ['an IPv6 /48', (at) => `2001:db8:7:${at}::1`, '2001:db8:8::1'],
  ];
  for (const [place, from, other] of places) {
    it(`lets a fifth of these pass for ${place}, and none of it for others`, async () => {
      const answers = await send(many(40), from);
      expect(count(answers)).to.deep.equal({
        201: 30,
        keys_per_board_hour: 10,
      });
      const [agent] = many(1);
      await sendKey(test, agent?.notes[0], other).expect(201);
    });
  }

  it('stands in the RateLimit header, also of a repeat', async () => {
    const [first, second] = many(2);
    const left = async (agent: Agent | undefined) =>
      (await sendKey(test, agent?.notes[0], home)).headers.ratelimit;
    expect(await left(first)).to.equal('"keys_per_network_hour";r=9;t=3600');
    test.clock.advance(60_000);
    const both = '"keys_per_network_hour";r=8;t=3540';
    expect(await left(second)).to.equal(both);
    expect(await left(first)).to.equal(both);
  });

  it('spends nothing on repeats and refusals', async () => {
    const [agent] = many(1);
    if (agent === undefined) throw new Error('no agent');
    await record(test, agent.notes[0] ?? '', home);
    for (let n = 0; n < 15; n += 1) {
      await sendKey(test, agent.notes[0], home).expect(200);
      const bad = await sendKey(test, 'no note', home);
      expect(bad.body.error).to.equal('bad_note');
      const gap = nextEvent(agent, 'rotate', { seq: 2 });
      const early = await sendKey(test, signEvent(agent, gap), home);
      expect(early.body.error).to.equal('key_sequence');
    }
    const answers = await send(many(10), () => home);
    expect(count(answers)).to.deep.equal({ 201: 9, keys_per_network_hour: 1 });
  });

  it('never keeps an agent from revoking, and others from rotating', async () => {
    const agent = await register(test, { from: home });
    for (let n = 1; n <= 3; n += 1) {
      await record(test, advance(agent, 'rotate'), freshNetwork());
    }
    const other = await register(test, { from: freshNetwork() });
    await record(test, advance(other, 'rotate'), freshNetwork());
    const revoked = await record(test, advance(agent, 'revoke'));
    expect(revoked).to.include({ status: 'revoked', key_seq: 4 });
  });

  it('records a conflict beyond the rotations of a day, not beyond the hour', async () => {
    const from = freshNetwork();
    const agent = await register(test, { from });
    for (let n = 1; n <= 3; n += 1) {
      await record(test, advance(agent, 'rotate'), from);
    }
    const last = agent.events[3];
    if (last === undefined) throw new Error('no event');
    const second = signEvent(agent, { ...last, at: last.at + 1 });
    await send(many(10), () => home);
    const full = await sendKey(test, second, home);
    expect(full.body).to.include({
      error: 'rate_limited',
      scope: 'keys_per_network_hour',
    });
    const recorded = await sendKey(test, second, freshNetwork());
    expect(recorded.body.error).to.equal('key_conflict');
    expect(recorded.body.current.status).to.equal('conflicted');
  });
});
