import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../support/until.js';
import { draft, post, type Reply, template } from '../support/wire.js';
import { check, type Violation } from './check.js';
import {
  asked,
  type History,
  type Publish,
  publishDeed,
} from './history/history.js';
import { type Query, readState } from './history/state.js';

const RETRY_MS = 10;
const TOPICS = 0.1;
const VOTES = 0.3;

type Write = {
  asked: Publish['req'];
  ticket: Record<string, unknown> | null;
  /** Whether its fate was unknown at a time: no answer, or a 503. */
  unknown: boolean;
};

export type WritersOptions = {
  /** A node, and its database as one asks it who may read every table. */
  on: { readonly url: string; query: Query };
  count: number;
  random: () => number;
  /** Whether an unanswered request is expected (the node itself dies). */
  mayHangUp: boolean;
  /** What is written instead of a few words. */
  body?: (text: string) => string;
};

/**
 * Writers that publish topics, replies and replies with a vote without end,
 * and retry what was not answered with the ticket they hold, as clients have to
 * (spec/board.md §5.3). They keep the history that the invariants are checked
 * against.
 */
export class Writers {
  readonly history: History = [];
  acked = 0;
  votes = 0;
  /** How often a request had to be sent again, by what came of it. */
  readonly again = { unanswered: 0, unavailable: 0 };
  private readonly writes: Write[] = [];
  private readonly ids: number[] = [];
  private stopped = false;
  private running: Promise<void>[] = [];

  constructor(private readonly options: WritersOptions) {}

  get written(): number {
    return this.writes.length;
  }

  start(): void {
    this.stopped = false;
    const { count } = this.options;
    this.running = Array.from({ length: count }, (_, n) => this.run(n));
  }

  /** Ends with no write half done: each was answered, if by a retry. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  async progress(more: number): Promise<void> {
    const goal = this.acked + more;
    const goes = until(`${more} more receipts`, () => this.acked >= goal);
    goes.catch(() => undefined); // a writer that failed says more
    await Promise.race([goes, Promise.all(this.running)]);
  }

  private async run(n: number): Promise<void> {
    while (!this.stopped) {
      const { asked, sent } = this.next(n);
      const write: Write = { asked, ticket: null, unknown: false };
      this.writes.push(write);
      while (!(await this.step(write, sent))) await pause(RETRY_MS);
    }
  }

  private next(n: number): { asked: Publish['req']; sent: object } {
    const { random } = this.options;
    const { ids } = this;
    const newTopic = ids.length === 0 || random() < TOPICS;
    const replyTo = newTopic
      ? null
      : (ids[Math.floor(random() * ids.length)] ?? null);
    const vote = replyTo !== null && random() < VOTES ? 1 : 0;
    const { body = (text: string) => text } = this.options;
    const text = body(`${n} ${this.writes.length}`);
    const sent = { ...draft(replyTo, text), vote };
    return { asked: { ...asked(sent, `198.18.3.${n}`), vote }, sent };
  }

  private async step(write: Write, sent: object): Promise<boolean> {
    const { url } = this.options.on;
    const { network } = write.asked;
    if (write.ticket === null) {
      const preview = await post(url, '/write/preview', sent, network);
      if (!this.isAnswered(preview)) return false;
      write.ticket = template(preview);
    }
    const answered = await this.publish(write);
    if (!answered) {
      write.unknown = true;
      return false;
    }
    this.acked += 1;
    if (write.asked.vote !== 0) this.votes += 1;
    return true;
  }

  private async publish(write: Write): Promise<boolean> {
    const { url } = this.options.on;
    const { asked } = write;
    const t = performance.now();
    const reply = await post(
      url,
      '/write/publish',
      write.ticket ?? {},
      asked.network,
    );
    const isAnswered = this.isAnswered(reply);
    const deed = publishDeed(asked, t, isAnswered ? reply : null);
    this.history.push(deed);
    if (!isAnswered) return false;
    const { status, body } = reply;
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
    this.ids.push((body.message as { id: number }).id);
    return true;
  }

  /** A 503 is no answer yet, but has to be a proper one (spec/board.md §12). */
  private isAnswered({ status, body, retryAfter }: Reply): boolean {
    if (status === 0) {
      this.again.unanswered += 1;
      expect(this.options.mayHangUp, 'the node hung up').to.equal(true);
      return false;
    }
    if (status !== 503) {
      expect(status, JSON.stringify(body)).to.be.below(500);
      return true;
    }
    this.again.unavailable += 1;
    expect(body.error).to.equal('unavailable');
    expect(body.detail).to.be.a('string');
    expect(retryAfter).to.match(/^[1-9]\d*$/);
    expect(body.retry_after_seconds).to.equal(Number(retryAfter));
    return false;
  }

  /** Asks for what was unknown, then checks the history (§R5.1 I1 to I12). */
  async check(): Promise<Outcome> {
    const unknown = this.writes.filter((write) => write.unknown);
    for (const write of unknown) {
      await until('a receipt for ever', () => this.publish(write));
    }
    const { on } = this.options;
    const state = await readState(on.url, (sql) => on.query(sql));
    const violations = check(this.history, state);
    const more = state.messages.length - this.writes.length;
    if (more !== 0) {
      violations.push({ invariant: 'I2', what: `${more} that nobody wrote` });
    }
    const { acked, votes } = this;
    return { acked, votes, unknown: unknown.length, violations };
  }
}

export type Outcome = {
  acked: number;
  votes: number;
  unknown: number;
  violations: Violation[];
};
