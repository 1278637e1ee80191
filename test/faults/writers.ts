import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { checkLedger } from '../support/check-ledger.js';
import { until } from '../support/until.js';
import { draft, post, type Reply, template } from '../support/wire.js';

const RETRY_MS = 10;

/** One message that a writer set out to publish. */
type Write = {
  requestId: string;
  body: string;
  ticket: Record<string, unknown> | null;
  /** Given once a receipt came back. */
  receipt: { id: number; text: string } | null;
  /** How often its fate was unknown: no answer, or a 503. */
  unknown: number;
};

export type WritersOptions = {
  url: () => string;
  count: number;
  random: () => number;
  /** Whether an unanswered request is expected (the node itself dies). */
  mayHangUp: boolean;
};

/**
 * Writers that publish without end, and retry what was not answered with the
 * ticket they hold, as board.md asks of clients. They keep the history that
 * the invariants are checked against.
 */
export class Writers {
  readonly history: Write[] = [];
  acked = 0;
  private stopped = false;
  private running: Promise<void>[] = [];

  constructor(private readonly options: WritersOptions) {}

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

  /** Resolves once so many more were acknowledged. */
  async progress(more: number): Promise<void> {
    const goal = this.acked + more;
    await until(`${more} more receipts`, () => this.acked >= goal, 60_000);
  }

  private async run(n: number): Promise<void> {
    while (!this.stopped) {
      const root = this.acked > 0 && this.options.random() < 0.9 ? 1 : null;
      const asked = draft(root, `${n} ${this.history.length}`);
      const write: Write = {
        requestId: asked.request_id,
        body: asked.body,
        ticket: null,
        receipt: null,
        unknown: 0,
      };
      this.history.push(write);
      while (write.receipt === null) {
        if (!(await this.step(write, asked, n))) await pause(RETRY_MS);
      }
    }
  }

  /** One request; false when it has to be sent again. */
  private async step(write: Write, asked: object, n: number): Promise<boolean> {
    const from = `198.18.3.${n}`;
    const { url } = this.options;
    if (write.ticket === null) {
      const preview = await post(url(), '/write/preview', asked, from);
      if (!this.isAnswered(preview)) return false;
      write.ticket = template(preview);
      return true;
    }
    const reply = await post(url(), '/write/publish', write.ticket, from);
    if (!this.isAnswered(reply)) {
      write.unknown += 1;
      return false;
    }
    expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf([200, 201]);
    const { id } = reply.body.message as { id: number };
    const { status: _, ...rest } = reply.body;
    write.receipt = { id, text: JSON.stringify(rest) };
    this.acked += 1;
    return true;
  }

  /** A 503 is no answer yet, but has to be a proper one (decisions §12). */
  private isAnswered({ status, body, retryAfter }: Reply): boolean {
    if (status === 0) {
      expect(this.options.mayHangUp, 'the node hung up').to.equal(true);
      return false;
    }
    if (status !== 503) {
      expect(status, JSON.stringify(body)).to.be.below(500);
      return true;
    }
    expect(body.error).to.equal('unavailable');
    expect(body.detail).to.be.a('string');
    expect(retryAfter).to.match(/^[1-9]\d*$/);
    expect(body.retry_after_seconds).to.equal(Number(retryAfter));
    return false;
  }

  /**
   * Nothing acknowledged is lost, nothing is there twice, ids have no gap, and
   * the receipts are the same for ever (reliability §5, I1-I3, I10).
   */
  async check(): Promise<Outcome> {
    const { posts } = await checkLedger({ url: this.options.url() });
    const byRequest = new Map(posts.map((one) => [one.requestId, one]));
    for (const write of this.history) {
      const found = byRequest.get(write.requestId);
      expect(found?.id, write.requestId).to.equal(write.receipt?.id);
      expect(found?.content?.body).to.equal(write.body);
    }
    expect(posts.length, 'no other messages').to.equal(this.history.length);
    expect(posts[0]?.id).to.equal(1);
    for (const write of this.history.filter((one) => one.unknown > 0)) {
      const { url } = this.options;
      const again = await post(url(), '/write/publish', write.ticket ?? {});
      expect(again.body.status).to.equal('already_published');
      const { status: _, ...rest } = again.body;
      expect(JSON.stringify(rest)).to.equal(write.receipt?.text);
    }
    return {
      acked: this.acked,
      unknown: this.history.filter(({ unknown }) => unknown > 0).length,
    };
  }
}

export type Outcome = { acked: number; unknown: number };
