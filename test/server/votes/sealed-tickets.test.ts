import { ChallengeLock } from '../../../server/db/entities/ticket.js';
import { openTicket, sealTicket } from '../../../server/tickets/index.js';
import { votePath } from '../../../server/votes/preview-vote.js';
import { recordFaults } from '../../faults/report.js';
import { FULL, within } from '../../support/full.js';
import { holdQuery, type Query } from '../../support/held-query.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, preview, publish, submit } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { openPoll } from '../polls/polling.js';
import { expectRefusal, limited, retryAfter } from '../posting/refusals.js';
import { castRating, network, previewRating, ratingTicket } from './rating.js';

const HOUR_MS = 3_600_000;
const MOST = 100;
/** Of each kind, one network. */
const FLOOD = FULL ? 10_000 : 300;
const INVALID = { status: 400, error: 'ticket_invalid' };
const FAILED = limited('failed_tickets_per_network');

describe('Sealed tickets of votes', () => {
  const test = givenBoard({
    lifted: true,
    limits: { failed_tickets_per_network: MOST },
  });
  let topic: number;
  let poll: number;

  beforeEach(async () => {
    topic = (await publish(test)).message.id;
    poll = (await openPoll(test)).id;
  });

  async function sizes(): Promise<Record<string, number>> {
    const { writes } = test.board.context;
    const tables = await writes.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables
       WHERE schemaname = 'public' ORDER BY 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await writes.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${name}`,
      );
      counts[name] = row?.n ?? 0;
    }
    return counts;
  }

  const failedTickets = () => rows(test).count(ChallengeLock);

  const wrongly = async (from: string) => {
    const send = await ratingTicket(test, topic, 1, from);
    return await castRating(test, topic, { ...send, answer: 'no' }, from);
  };

  /** Wrongly: each has passed the first look at the count before one is counted. */
  async function castTogether(sends: readonly object[], from: string) {
    const counts = holdQuery(
      test.board.context.writes as { query: Query },
      (text) => text.includes('INSERT INTO challenge_lock'),
      sends.length,
    );
    let answered = 0;
    const answers = sends.map(async (send) => {
      const wrong = { ...send, answer: 'no' };
      const answer = await castRating(test, topic, wrong, from);
      answered += 1;
      return answer;
    });
    try {
      await until(
        'a look of each',
        () => counts.held() + answered === sends.length,
      );
    } finally {
      counts.release();
      counts.remove();
    }
    return await Promise.all(answers);
  }

  it('leave no row, however many are issued', async () => {
    const from = network(1);
    await previewRating(test, topic, { vote: 1 }, from).expect(200);
    const before = await sizes();
    for (let n = 0; n < FLOOD; n += 20) {
      await Promise.all(
        Array.from({ length: 20 }, () =>
          previewRating(test, topic, { vote: 1 }, from).expect(200),
        ),
      );
    }
    await test.as(from).post(`/api/polls/${poll}/votes/preview`).send({
      option: 'a',
      request_id: '5f7f7f0a-32b1-4f25-8f4b-6f3e6f5f7a10',
    });
    const { ticket, challenge_lock: locks } = await sizes();
    expect({ ticket, locks }).to.deep.equal({
      ticket: before.ticket,
      locks: before.challenge_lock,
    });
    await expectQuickPreviews();
    await recordFaults({ test: 'D10 previews', faults: FLOOD });
  });

  it('with wrong answers are bounded, and so are those of many at once', async () => {
    const from = network(2);
    // Those of a bounded network are refused a ticket, so all come first.
    const sends: Awaited<ReturnType<typeof ratingTicket>>[] = [];
    while (sends.length < FLOOD) {
      const lot = Array.from({ length: 100 }, () =>
        ratingTicket(test, topic, 1, from),
      );
      sends.push(...(await Promise.all(lot)));
    }
    const earlier = await failedTickets();
    // Not a divisor: one lot begins below the bound and would end above.
    for (let n = 0; n < sends.length; n += 70) {
      const answers = await castTogether(sends.slice(n, n + 70), from);
      for (const { status, body } of answers) {
        const said = `${status} ${body.error}`;
        const counted = '400 wrong_answer';
        expect(said).to.be.oneOf([counted, '429 rate_limited']);
      }
    }
    // At once as many statements as the pool has connections look at the count.
    const failed = (await failedTickets()) - earlier;
    expect(failed).to.be.within(MOST, MOST + 6);
    await expectQuickPreviews();
    await recordFaults({ test: 'D10 wrong answers', faults: FLOOD });
  });

  /** Of a message, by another network: half of them take no longer. */
  async function expectQuickPreviews(): Promise<void> {
    const times: number[] = [];
    for (let n = 0; n < 15; n += 1) {
      const begun = performance.now();
      expect((await preview(test, {}, network(3))).status).to.equal(200);
      times.push(performance.now() - begun);
    }
    const median = times.sort((a, b) => a - b)[7] ?? 0;
    console.log(`      a preview took ${median.toFixed(1)} ms`);
    expect(median).to.be.below(within(50));
  }

  it('stop a network with too many wrong answers, and no other', async () => {
    const [from, other] = [network(4), network(5)];
    const unused = await ratingTicket(test, topic, 1, from);
    for (let n = 0; n < MOST; n += 1) {
      expectRefusal(await wrongly(from), {
        status: 400,
        error: 'wrong_answer',
        field: 'answer',
      });
      test.clock.advance(1000);
    }
    const refused = await previewRating(test, topic, { vote: 1 }, from);
    expectRefusal(refused, FAILED);
    // The first row ends twenty minutes after its ticket was issued.
    expect(retryAfter(refused)).to.equal(1200 - MOST);
    const ballot = await test
      .as(from)
      .post(`/api/polls/${poll}/votes/preview`)
      .send({
        option: 'a',
        request_id: '5f7f7f0a-32b1-4f25-8f4b-6f3e6f5f7a11',
      });
    expectRefusal(ballot, FAILED);
    // No answer is judged any more: a right one would tell.
    for (const answer of [unused.answer, 'no']) {
      const cast = await castRating(test, topic, { ...unused, answer }, from);
      expectRefusal(cast, FAILED);
    }
    await previewRating(test, topic, { vote: 1 }, other).expect(200);
    test.clock.advance((1200 - MOST) * 1000);
    await previewRating(test, topic, { vote: 1 }, from).expect(200);
  });

  it('are known until 24 hours after their end, over two midnights', async () => {
    const from = network(6);
    const day = 24 * HOUR_MS;
    const untilMidnight = day - (test.clock.now() % day);
    test.clock.advance(untilMidnight - 60_000);
    const send = await ratingTicket(test, topic, 1, from);
    test.clock.advance(2 * 60_000);
    await castRating(test, topic, send, from).expect(201);
    test.clock.advance(day + 8 * 60_000);
    await castRating(test, topic, send, from).expect(200);
    test.clock.advance(1);
    expectRefusal(await castRating(test, topic, send, from), INVALID);
  });

  it('open for their target, endpoint and board only, and in one spelling', async () => {
    const from = network(7);
    const other = (await publish(test, { title: 'Another' })).message.id;
    const send = await ratingTicket(test, topic, 1, from);
    const text = String(send.ticket);
    expectRefusal(await castRating(test, other, send, from), INVALID);
    const asBallot = await test.post(`/api/polls/${poll}/votes`, send, from);
    expectRefusal(asBallot, INVALID);
    const confirmed = { ...send, confirm: 'publish-publicly' };
    expectRefusal(await submit(test, confirmed, from), INVALID);
    const { ticket: message, answer } = filled(
      await preview(test, { reply_to: topic, vote: 1 }, from),
    );
    const written = { ticket: message, answer };
    expectRefusal(await castRating(test, topic, written, from), INVALID);
    const bytes = Buffer.from(text, 'base64url');
    const respelt = [
      `${text}=`,
      ` ${text}`,
      `${text}\n`,
      text.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
      bytes.toString('hex'),
      text.slice(0, -1),
      text.slice(0, 10),
      'x',
      'x'.repeat(60_000),
    ];
    for (const ticket of respelt) {
      const cast = await castRating(test, topic, { ...send, ticket }, from);
      expectRefusal(cast, INVALID);
    }
    const { context } = test.board;
    const keys = { ...context.keys, server: Buffer.alloc(32, 7) };
    const foreign = sealTicket({ ...context, keys }, votePath(topic), {
      choice: 1,
      voter: Buffer.alloc(32),
      now: test.clock.now(),
    });
    expectRefusal(
      await castRating(test, topic, { ...send, ticket: foreign.ticket }, from),
      INVALID,
    );
    await castRating(test, topic, send, from).expect(201);
  });

  it('show nothing of their answer, choice or network', async () => {
    const send = await ratingTicket(test, topic, -1, network(8));
    const now = test.clock.now();
    const { ticket } = send;
    const path = votePath(topic);
    const opened = openTicket(test.board.context, path, String(ticket), now);
    expect(opened?.choice).to.equal(-1);
    const bytes = Buffer.from(String(ticket), 'base64url').toString('latin1');
    for (const secret of [String(send.answer), 'choice', 'answer']) {
      expect(bytes).not.to.include(secret);
    }
  });
});
