import { UNLIMITED } from '../server/polls/polling.js';
import { FULL } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { publish, solve } from '../support/post.js';
import { chosenSeed, randomBytes, randomOf } from '../support/random.js';
import { send } from '../support/send.js';
import { draft, post, type Reply, ticketFor } from '../support/wire.js';
import { recordFaults } from './report.js';

/** What two ways of doing the same differ by, in ms. */
type Difference = {
  median: number;
  /** What chance makes of it: six standard errors, and the clock's steps. */
  noise: number;
};

/** Of a median, were the differences normally distributed. */
const MEDIAN_ERROR = 1.2533;
const SIGMAS_PER_MAD = 1.4826;
const ERRORS = 6;
/** A hundredth of the time itself: machines are not finer than that. */
const STEP = 0.01;

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1
    ? upper
    : ((sorted[half - 1] ?? 0) + upper) / 2;
}

/**
 * Compares times taken in pairs, of which chance said who went first. Medians
 * do not mind what a busy machine does to some of them, and what it does to
 * both of a pair falls out.
 */
function differenceOf(
  pairs: readonly (readonly [a: number, b: number])[],
): Difference {
  const differences = pairs.map(([a, b]) => b - a);
  const median = medianOf(differences);
  const deviations = differences.map((one) => Math.abs(one - median));
  const sigma = medianOf(deviations) * SIGMAS_PER_MAD;
  const error = (sigma * MEDIAN_ERROR) / Math.sqrt(pairs.length);
  const step = STEP * medianOf(pairs.map(([a]) => a));
  return { median, noise: ERRORS * error + step };
}

const SIZES = FULL
  ? { flips: 2400, swaps: 500, expired: 200, replays: 200, random: 10_000 }
  : { flips: 200, swaps: 60, expired: 20, replays: 20, random: 300 };
const AT_ONCE = 20;
const SECONDS = 601;

type Ticket = Record<string, unknown>;

/** Table E of the fault plan: what is not exactly the ticket is nothing. */
describe('tickets that are not what they should be', () => {
  const test = givenBoard({ limits: UNLIMITED });
  const random = randomOf(chosenSeed());

  before(async () => {
    const poll = { question: 'Which?', options: ['a', 'b'] };
    await publish(test, { poll });
  });

  const from = (n: number) => `198.18.${n >> 8}.${n & 255}`;
  const pick = <T>(list: readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T;

  async function twoStep(path: string, asked: object, who: string) {
    const { body } = await post(test.url, `${path}/preview`, asked, who);
    return { ticket: body.ticket, answer: solve(String(body.challenge)) };
  }

  const KINDS = {
    publish: {
      path: '/write/publish',
      ticket: (who: string) => ticketFor(test.url, draft(1), who),
    },
    'publish with vote': {
      path: '/write/publish',
      ticket: (who: string) =>
        ticketFor(test.url, { ...draft(1), vote: 1 }, who),
    },
    rating: {
      path: '/api/messages/1/votes',
      ticket: (who: string): Promise<Ticket> =>
        twoStep('/api/messages/1/votes', { vote: 1 }, who),
    },
    ballot: {
      path: '/api/polls/1/votes',
      ticket: (who: string): Promise<Ticket> =>
        twoStep(
          '/api/polls/1/votes',
          { option: 'a', request_id: draft(1).request_id },
          who,
        ),
    },
  };
  type Kind = keyof typeof KINDS;
  const NAMES = Object.keys(KINDS) as Kind[];

  /** `count` in bursts, each of which is told its number. */
  async function each(count: number, work: (n: number) => Promise<void>) {
    for (let at = 0; at < count; at += AT_ONCE) {
      const many = Math.min(AT_ONCE, count - at);
      await Promise.all(Array.from({ length: many }, (_, n) => work(at + n)));
    }
  }

  const send = (kind: Kind, ticket: Ticket, who: string): Promise<Reply> =>
    post(test.url, KINDS[kind].path, ticket, who);

  function expectCode(reply: Reply, status: number, ...codes: string[]) {
    const { error } = reply.body;
    expect([reply.status, codes], JSON.stringify(reply.body)).to.deep.equal([
      status,
      codes,
    ]);
    expect(codes).to.include(String(error));
  }

  const told = (what: string, faults: number) =>
    recordFaults({ test: `E ${what}`, faults });

  it(`refuses ${SIZES.flips} with one bit flipped`, async () => {
    const tickets = await Promise.all(
      NAMES.map((kind) => KINDS[kind].ticket(from(0))),
    );
    await each(SIZES.flips, async (n) => {
      const at = n % NAMES.length;
      const kind = NAMES[at] ?? 'publish';
      const given = tickets[at] ?? {};
      const bytes = Buffer.from(String(given.ticket), 'base64url');
      const bit = Math.floor(random() * bytes.length * 8);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const ticket = bytes.toString('base64url');
      const reply = await send(kind, { ...given, ticket }, from(0));
      expectCode(reply, 400, 'ticket_invalid');
    });
    await told('bits', SIZES.flips);
  });

  it(`refuses ${SIZES.random} that were never issued`, async () => {
    await each(SIZES.random, async () => {
      const ticket = randomBytes(32).toString('base64url');
      const kind = pick(NAMES);
      const sent = {
        ...(KINDS[kind].path === '/write/publish'
          ? { confirm: 'publish-publicly' }
          : {}),
        ...{ ticket, answer: '1-word' },
      };
      const reply = await send(kind, sent, from(1));
      expectCode(reply, 400, 'ticket_invalid');
    });
    await told('random', SIZES.random);
  });

  it(`refuses ${SIZES.swaps} at another endpoint or network`, async () => {
    await each(SIZES.swaps, async (n) => {
      const kind = pick(NAMES);
      const who = from(256 + n);
      const given = await KINDS[kind].ticket(who);
      const other = pick(
        NAMES.filter((name) => KINDS[name].path !== KINDS[kind].path),
      );
      const { confirm: _, ...bare } = given;
      const sent =
        KINDS[other].path === '/write/publish'
          ? { ...given, confirm: 'publish-publicly' }
          : bare;
      expectCode(await send(other, sent, who), 400, 'ticket_invalid');
      // What was previewed is in the ticket, and nothing beside it is heard.
      const beside = pick([
        { vote: -1 },
        { option: 'b' },
        { request_id: draft(1).request_id },
        { body: 'Something else' },
      ]);
      const told = await send(kind, { ...given, ...beside }, who);
      expectCode(told, 400, 'unknown_field');
      if (kind === 'publish') return; // goes with its bearer
      const elsewhere = await send(kind, given, from(30_000 + n));
      expectCode(elsewhere, 409, 'network_changed');
    });
    await told('swaps', SIZES.swaps);
  });

  it(`answers ${SIZES.replays} replays with what was done`, async () => {
    await each(SIZES.replays, async (n) => {
      const kind = pick(NAMES);
      const who = from(2000 + n);
      const given = await KINDS[kind].ticket(who);
      const first = await send(kind, given, who);
      expect(first.status, JSON.stringify(first.body)).to.equal(201);
      const again = await send(kind, given, who);
      expect(again.status).to.equal(200);
      const { status: _, ...rest } = again.body;
      const { status: __, ...before } = first.body;
      if (kind.startsWith('publish')) expect(rest).to.deep.equal(before);
    });
    await told('replays', SIZES.replays);
  });

  it(`refuses ${SIZES.expired} that are too old`, async () => {
    const given: [Kind, Ticket, string][] = [];
    await each(SIZES.expired, async (n) => {
      const kind = pick(NAMES);
      const who = from(4000 + n);
      given.push([kind, await KINDS[kind].ticket(who), who]);
    });
    test.clock.advance(SECONDS * 1000);
    await each(SIZES.expired, async (n) => {
      const [kind, ticket, who] = given[n] ?? ['publish', {}, ''];
      expectCode(await send(kind, ticket, who), 400, 'ticket_expired');
    });
    await told('expired', SIZES.expired);
  });
});

const PAIRS = FULL ? 10_000 : 400;
const WARM_UP = 50;
const FROM = '203.0.113.1';

/** Table E: how long a ticket is looked for tells nothing about another one. */
describe('the time a wrong ticket takes', () => {
  const test = givenBoard({ lifted: true });
  let known: Buffer;

  before(async () => {
    const { ticket } = await ticketFor(test.url, draft(null), FROM);
    known = Buffer.from(String(ticket), 'base64url');
  });

  async function timed(ticket: Buffer): Promise<number> {
    const body = JSON.stringify({
      ticket: ticket.toString('base64url'),
      answer: '65-harbor',
      confirm: 'publish-publicly',
    });
    const began = performance.now();
    const { status, text } = await send(test.url, {
      method: 'POST',
      path: '/write/publish',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'X-Forwarded-For': FROM,
      },
      body,
    });
    const took = performance.now() - began;
    expect(status, text).to.equal(400);
    expect(text).to.contain('"ticket_invalid"');
    return took;
  }

  function near(): Buffer {
    const ticket = Buffer.from(known);
    ticket[31] = (ticket[31] ?? 0) ^ 0x5a;
    return ticket;
  }

  it(`is that of any other, over ${PAIRS} pairs`, async () => {
    const random = randomOf(chosenSeed());
    const pairs: [number, number][] = [];
    for (let n = -WARM_UP; n < PAIRS; n += 1) {
      const far = randomBytes(32);
      const nearFirst = random() < 0.5;
      const first = await timed(nearFirst ? near() : far);
      const second = await timed(nearFirst ? far : near());
      if (n < 0) continue;
      pairs.push(nearFirst ? [second, first] : [first, second]);
    }
    const { median, noise } = differenceOf(pairs);
    const us = (ms: number) => (ms * 1000).toFixed(1);
    console.log(`      differs by ${us(median)} µs, noise ${us(noise)} µs`);
    expect(Math.abs(median)).to.be.below(noise);
    await recordFaults({ test: 'E timed', faults: PAIRS });
  });
});

describe('a difference of times', () => {
  /** Half a millisecond and a long tail, the whole machine slow by turns. */
  function pairsOf(more: number, random: () => number): [number, number][] {
    return Array.from({ length: 1000 }, (_, n) => {
      const slow = 1 + (n % 300) / 100;
      const one = () => slow * (0.5 + 0.1 / (0.02 + random()) / 10);
      return [one(), one() + more];
    });
  }

  it('is found where there is one, and only there', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomOf(seed);
      const none = differenceOf(pairsOf(0, random));
      expect(Math.abs(none.median), `${seed}`).to.be.below(none.noise);
      const some = differenceOf(pairsOf(0.1, random));
      expect(some.median, `${seed}`).to.be.above(some.noise);
    }
  });
});
