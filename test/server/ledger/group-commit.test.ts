import pg from 'pg';
import type { Context } from '../../../server/context.js';
import type { Job } from '../../../server/ledger/append.js';
import { startBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { logTransaction, sentDuring } from '../../support/sent.js';
import { until } from '../../support/until.js';
import {
  atOnce,
  draft,
  post,
  type Reply,
  tally,
  ticketFor,
} from '../../support/wire.js';

describe('group commit', () => {
  const test = givenBoard({ lifted: true });
  let ctx: Context;
  let root: number;

  before(async () => {
    ctx = test.board.context;
    root = (await publish(test)).message.id;
  });

  /** As one group: they queue behind a job that ends once all are there. */
  async function asGroup<T>(
    tickets: readonly object[],
    jobs: readonly Job<T>[] = [],
  ): Promise<{ replies: Reply[]; outcomes: Promise<T>[] }> {
    const all = tickets.length + jobs.length;
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const gate: Job<null> = async () => {
      begun();
      await until('the group', () => ctx.ledger.queued === all);
      return () => null;
    };
    const opened = ctx.ledger.append(gate);
    await running;
    const replies = Promise.all(
      tickets.map((ticket) => post(test.url, '/write/publish', ticket)),
    );
    const outcomes = jobs.map((job) => ctx.ledger.append(job));
    for (const outcome of outcomes) outcome.catch(() => undefined);
    await opened;
    return { replies: await replies, outcomes };
  }

  const ticketsFor = (count: number) =>
    atOnce(count, () => ticketFor(test.url, draft(root)));

  const failing: Job<never> = async (turn) => {
    await turn.tx.query('SELECT 1 / 0');
    return () => {
      throw new Error('never reached');
    };
  };

  async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    return (error as { code?: string } | null)?.code;
  }

  const sizesOf = (replies: readonly Reply[]) =>
    new Set(replies.map(({ body }) => (body.log as { size: number }).size));

  it('sends a post as one statement, with COMMIT', async () => {
    const [ticket = {}] = await ticketsFor(1);
    const sent = await sentDuring(async () => {
      const { status } = await post(test.url, '/write/publish', ticket);
      expect(status).to.equal(201);
    });
    const [, lock, facts, write, ...more] = logTransaction(sent);
    expect(lock).to.match(/FOR UPDATE OF log_state/);
    expect(facts).to.match(/^SELECT/);
    expect(write).to.match(/INSERT INTO message .* INSERT INTO log_entry /s);
    expect(more).to.deep.equal([]);
  });

  it('signs one head over what came together', async () => {
    const { replies } = await asGroup(await ticketsFor(20));
    expect(tally(replies)).to.deep.equal({ 201: 20 });
    expect(sizesOf(replies).size).to.equal(1);
  });

  it('lets only the culprits of a group fail', async () => {
    const before = await asGroup(await ticketsFor(1));
    const [first = 0] = sizesOf(before.replies);
    const { replies, outcomes } = await asGroup(await ticketsFor(20), [
      failing,
      failing,
    ]);
    for (const outcome of outcomes) {
      expect(await codeOf(outcome)).to.equal('22012');
    }
    expect(tally(replies)).to.deep.equal({ 201: 20 });
    const due = Array.from({ length: 20 }, (_, n) => first + 1 + n);
    const sizes = [...sizesOf(replies)].sort((a, b) => a - b);
    expect(sizes, 'one by one, without a gap').to.deep.equal(due);
  });

  it('answers refusals without hurting the rest of the group', async () => {
    const refusal: Job<never> = async () => () => {
      throw new RangeError('refused');
    };
    const tickets = await ticketsFor(5);
    const [ticket = {}] = tickets;
    const again = [...tickets, ticket, ticket];
    const { replies, outcomes } = await asGroup(again, [refusal]);
    const [outcome] = outcomes;
    const error: unknown = await outcome?.catch((reason: unknown) => reason);
    expect(error).to.be.an.instanceOf(RangeError);
    expect(tally(replies)).to.deep.equal({ 201: 5, 200: 2 });
    const sizes = sizesOf(replies.filter(({ status }) => status === 201));
    expect(sizes.size).to.equal(1);
  });

  it('takes no COMMIT for one that PostgreSQL turned into a ROLLBACK', async () => {
    const careless: Job<string> = async (turn) => {
      await turn.tx.query('SELECT 1 / 0').catch(() => undefined);
      return () => 'stored';
    };
    const answer = await ctx.ledger.append(careless).catch(() => 'refused');
    expect(answer).to.equal('refused');
    const inside = ctx.writes.transaction(async (tx) => {
      await tx.query('SELECT 1 / 0').catch(() => undefined);
      return 'stored';
    });
    expect(await inside.catch(() => 'refused')).to.equal('refused');
  });

  it('survives the loss of its connection between two statements', async () => {
    let tries = 0;
    const cut: Job<number> = async (turn) => {
      tries += 1;
      const answer = tries;
      if (tries > 1) return () => answer;
      const [me] = await turn.tx.query<{ pid: number }>(
        'SELECT pg_backend_pid() AS pid',
      );
      await ctx.reads.query('SELECT pg_terminate_backend($1)', [me?.pid]);
      await until('the end of the backend', async () => {
        const rows = await ctx.reads.query(
          'SELECT 1 FROM pg_stat_activity WHERE pid = $1',
          [me?.pid],
        );
        return rows.length === 0;
      });
      return () => answer;
    };
    const { replies, outcomes } = await asGroup(await ticketsFor(3), [cut]);
    expect(await outcomes[0]).to.equal(2);
    expect(tally(replies)).to.deep.equal({ 201: 3 });
  });

  it('answers 503 while another holds the lock', async () => {
    const hasty = await startBoard({
      lifted: true,
      clock: test.clock,
      databaseUrl: test.databaseUrl,
      timeoutFactor: 1,
    });
    const tickets = await atOnce(100, () => ticketFor(test.url, draft(root)));
    const holder = new pg.Client({ connectionString: test.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(
      'SELECT 1 FROM log_state WHERE origin_id = 0 FOR UPDATE',
    );
    const replies = await atOnce(100, (n) =>
      post(hasty.url, '/write/publish', tickets[n] ?? {}),
    );
    await holder.query('ROLLBACK');
    await holder.end();
    await hasty.stop();
    expect(tally(replies)).to.deep.equal({ 503: 100 });
    for (const { body, retryAfter } of replies) {
      expect(body.error).to.equal('unavailable');
      expect(retryAfter).to.match(/^[1-9]\d*$/);
    }
    const again = await atOnce(100, (n) =>
      post(test.url, '/write/publish', tickets[n] ?? {}),
    );
    expect(tally(again)).to.deep.equal({ 201: 100 });
  });
});
