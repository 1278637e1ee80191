import { rm } from 'node:fs/promises';
import { DAY_MS, utcDayStart } from '../../../../server/clock.js';
import {
  BudgetHead,
  BudgetSpend,
} from '../../../../server/db/entities/budget.js';
import {
  OperationDay,
  RequestErrorDay,
  SessionDay,
  SessionTotal,
} from '../../../../server/db/entities/stats.js';
import { Ticket } from '../../../../server/db/entities/ticket.js';
import {
  headFile,
  writeHeadFile,
} from '../../../../server/ledger/head-file.js';
import { capDrafts, sweep } from '../../../../server/operations/jobs/sweep.js';
import {
  draftBytes,
  draftsFull,
} from '../../../../server/tickets/storage-limit.js';
import type { TestBoard } from '../../../support/board.js';
import { decideTo } from '../../../support/decide.js';
import { givenBoard } from '../../../support/hooks.js';
import { filled, preview, publish } from '../../../support/post.js';
import { randomBytes } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';

async function statementsSent(
  test: TestBoard,
  work: () => Promise<void>,
): Promise<string[]> {
  const writes = test.board.context.writes as { query: unknown };
  const { query } = writes as { query: (text: string) => unknown };
  const texts: string[] = [];
  writes.query = (...call: [string]) => {
    texts.push(call[0]);
    return query(...call);
  };
  try {
    await work();
  } finally {
    writes.query = query;
  }
  return texts;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Previewed = Parameters<typeof filled>[0];

describe('The sweeper', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });

  const run = (signal = new AbortController().signal) =>
    sweep(test.board.context, signal);
  // Whatever an earlier test left is swept long after.
  afterEach(async () => {
    test.clock.set(utcDayStart(test.clock.now()) + 500 * DAY_MS);
    await run();
  });

  const insert = (statement: string, values: unknown[]) =>
    test.board.context.writes.query(statement, values);

  it('reports every kind of row, and finds nothing on a new board', async () => {
    expect(await run()).to.deep.equal({
      tickets: 0,
      challenge_locks: 0,
      budget_spends: 0,
      budget_heads: 0,
      sessions: 0,
      visitors: 0,
      failed_relays: 0,
      request_errors: 0,
      operator_attempts: 0,
      operator_attempt_counts: 0,
      operator_devices: 0,
      operator_sessions: 0,
      operator_links: 0,
      operator_challenges: 0,
      bulk_items: 0,
      bulks: 0,
      sealed: 0,
      drafts: 0,
      text_keys: 0,
      inboxes: 0,
      reporters: 0,
    });
  });

  it('sweeps all but sealed texts while the log takes no entries', async () => {
    const { id } = (await publish(test)).message;
    await decideTo.remove(test, id);
    test.clock.advance(30 * DAY_MS);
    const { guard, config, board } = test.board.context;
    await writeHeadFile(config.dataDir, {
      origin: board.origin,
      size: 1000,
      root: Buffer.alloc(32),
      lastMessageId: id,
      time: test.clock.now(),
      restored: false,
    });
    await guard.check();
    expect(guard.closed).to.be.a('string');
    const closed = await run();
    expect(closed).to.include({ tickets: 1, sealed: 0, drafts: 0 });
    await rm(headFile(config.dataDir));
    await guard.check();
    expect((await run()).sealed).to.equal(1);
  });

  it('keeps a ticket for its lifetime and 24 hours of recovery', async () => {
    const previewed = (await preview(test, {})) as Previewed;
    const send = () => test.as().post('/write/publish').send(filled(previewed));
    await send().expect(201);
    test.clock.advance(10 * MINUTE_MS + DAY_MS);
    expect((await run()).tickets).to.equal(0);
    const again = await send().expect(200);
    expect(again.body.status).to.equal('already_published');
    test.clock.advance(1);
    expect((await run()).tickets).to.equal(1);
    const gone = await send().expect(400);
    expect(gone.body.error).to.equal('ticket_invalid');
  });

  it('keeps a lock while it lasts, and a count of wrong answers as long as its ticket', async () => {
    const previewed = (await preview(test, {})) as Previewed;
    const wrong = { ...filled(previewed), answer: 'wrong' };
    for (let n = 0; n < 3; n += 1) {
      await test.as().post('/write/publish').send(wrong).expect(400);
    }
    test.clock.advance(10 * MINUTE_MS + DAY_MS);
    expect((await run()).challenge_locks).to.equal(0);
    test.clock.advance(1);
    expect((await run()).challenge_locks).to.equal(1);
    await insert('INSERT INTO challenge_lock VALUES ($1, 5, $2, 0)', [
      Buffer.from('locked'),
      test.clock.now() + 1,
    ]);
    expect((await run()).challenge_locks).to.equal(0);
    test.clock.advance(1);
    expect((await run()).challenge_locks).to.equal(1);
  });

  it('keeps spends for 25 hours and counters for 49', async () => {
    await publish(test);
    const spends = await rows(test).count(BudgetSpend);
    const heads = await rows(test).count(BudgetHead);
    expect(spends).to.be.above(2);
    test.clock.advance(25 * HOUR_MS);
    expect((await run()).budget_spends).to.equal(0);
    test.clock.advance(1);
    expect((await run()).budget_spends).to.equal(spends);
    // A counter's time is the end of the hour it was last used in.
    test.clock.advance(25 * HOUR_MS - 1);
    expect((await run()).budget_heads).to.equal(0);
    test.clock.advance(1);
    expect((await run()).budget_heads).to.equal(heads);
    await publish(test, { title: 'Another' });
    expect(await rows(test).count(BudgetHead)).to.be.above(0);
  });

  it('goes in batches of a thousand until nothing is left', async () => {
    await insert(
      `INSERT INTO budget_spend SELECT 'write', '\\x00', n
       FROM generate_series(1, 2500) n`,
      [],
    );
    await insert(
      `INSERT INTO session_day SELECT '2025-01-01',
         decode(lpad(to_hex(n), 8, '0'), 'hex'), 1
       FROM generate_series(1, 1001) n`,
      [],
    );
    const texts = await statementsSent(test, async () => {
      const swept = await run();
      expect(swept).to.include({ budget_spends: 2500, sessions: 1001 });
    });
    const of = (table: string) =>
      texts.filter((text) => text.includes(`DELETE FROM ${table}`)).length;
    expect(of('budget_spend')).to.equal(3);
    expect(of('session_day')).to.equal(2);
    expect(await rows(test).count(SessionDay)).to.equal(0);
    expect(await rows(test).countBy(SessionTotal, { readers: 1001 })).to.equal(
      1,
    );
  });

  it('stops between two batches when it is told to', async () => {
    await insert(
      `INSERT INTO budget_spend SELECT 'write', '\\x00', n
       FROM generate_series(1, 5000) n`,
      [],
    );
    const stopper = new AbortController();
    const { writes } = test.board.context;
    let batches = 0;
    const swept = await sweep(
      {
        ...test.board.context,
        writes: {
          ...writes,
          query: (text, values) => {
            if (text.includes('DELETE FROM budget_spend')) batches += 1;
            if (batches === 2) stopper.abort();
            return writes.query(text, values);
          },
        },
      },
      stopper.signal,
    );
    expect(swept.budget_spends).to.equal(2000);
    expect(await rows(test).count(BudgetSpend)).to.equal(3000);
    await run();
    expect(await rows(test).count(BudgetSpend)).to.equal(0);
  });

  it('by two at once deletes and folds everything once', async () => {
    await insert(
      `INSERT INTO session_day SELECT '2025-01-02',
         decode(lpad(to_hex(n), 8, '0'), 'hex'), 3
       FROM generate_series(1, 3000) n`,
      [],
    );
    const both = await Promise.all([run(), run()]);
    const folded = both.reduce((sum, { sessions = 0 }) => sum + sessions, 0);
    expect(folded).to.equal(3000);
    expect(await rows(test).countBy(SessionTotal, { agents: 3000 })).to.equal(
      1,
    );
  });

  it('does not wait for a counter that a request holds', async () => {
    await publish(test);
    test.clock.advance(51 * HOUR_MS);
    const { writes } = test.board.context;
    const heads = await rows(test).count(BudgetHead);
    await writes.transaction(async (tx) => {
      await tx.query(
        "SELECT 1 FROM budget_head WHERE scope = 'preview' FOR UPDATE",
      );
      expect((await run()).budget_heads).to.equal(heads - 1);
    });
    expect((await run()).budget_heads).to.equal(1);
  });

  it('forgets errors after 400 days, and never an operation', async () => {
    const { telemetry } = test.board.context;
    await telemetry.flush();
    await rows(test).deleteAll(RequestErrorDay);
    await publish(test);
    await test.as().get('/api/messages/999');
    await telemetry.flush();
    test.clock.advance(400 * DAY_MS);
    expect((await run()).request_errors).to.equal(0);
    test.clock.advance(DAY_MS);
    expect((await run()).request_errors).to.equal(1);
    expect(await rows(test).count(OperationDay)).to.be.above(0);
  });
});

const ALWAYS = () => true;

describe('The cap on drafts', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  beforeEach(() => rows(test).deleteAll(Ticket));

  /** Drafts of about two thousand bytes, as text does not pack better. */
  async function drafts(times: number): Promise<Previewed[]> {
    const made: Previewed[] = [];
    for (let n = 0; n < times; n += 1) {
      const body = randomBytes(1350).toString('base64');
      made.push((await preview(test, { body })) as Previewed);
      test.clock.advance(1000);
    }
    return made;
  }

  const bytes = () => draftBytes(test.board.context.writes, 0);
  const cap = (max: number) => capDrafts(test.board.context, ALWAYS, max);
  const kept = async () => {
    const all = await rows(test).find(Ticket, { order: { createdAt: 'ASC' } });
    return all.map(({ createdAt }) => createdAt);
  };

  it('touches nothing below it', async () => {
    await drafts(5);
    test.clock.advance(20 * MINUTE_MS);
    expect(await cap((await bytes()) * 2)).to.equal(0);
    expect(await kept()).to.have.length(5);
  });

  it('lets the oldest unpublished go first, until there is room', async () => {
    const made = await drafts(10);
    const [first] = made;
    await test.post('/write/publish', filled(first as Previewed)).expect(201);
    const all = await kept();
    test.clock.advance(20 * MINUTE_MS);
    const max = await bytes();
    // 80 % of ten drafts may stay: the published one and the seven newest.
    expect(await cap(max)).to.be.within(2, 3);
    const left = await kept();
    expect(left[0], 'the published one').to.equal(all[0]);
    expect(left.slice(1)).to.deep.equal(
      all.slice(all.length - left.length + 1),
    );
    expect(await bytes()).to.be.at.most(max * 0.8);
  });

  it('keeps those that can still be published: then previews are refused', async () => {
    await drafts(4);
    const max = Math.floor((await bytes()) / 2);
    expect(await cap(max)).to.equal(0);
    expect(await draftsFull(test.board.context, max)).to.equal(true);
  });

  it('is far away on an ordinary board', async () => {
    await drafts(1);
    expect(await draftsFull(test.board.context)).to.equal(false);
  });

  it('asks the rows only when the files are larger', async () => {
    await drafts(3);
    const { writes } = test.board.context;
    const exact = await draftBytes(writes, 0);
    const files = await draftBytes(writes, 1_000_000_000);
    expect(exact).to.be.within(4000, 9000);
    expect(files).to.be.above(exact);
  });
});
