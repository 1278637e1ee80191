import { setTimeout as pause } from 'node:timers/promises';
import type { Violation } from '../../test/faults/check.js';
import type { Follow, History } from '../../test/faults/history/history.js';

const PAUSE_MS = 50;
/** A read that takes longer counts as failed. */
const PATIENCE_MS = 15_000;
/** How far back a reader looks again and again. */
const LOOK_BACK = 20;
/** Another process shows a write within that (spec/board.md §14.7). */
const SLACK_MS = 250;

type Page = { data: { id: number }[]; cursor: number };

/** A time between two good answers with bad ones in it, the last of which it names. */
export type Gap = { ms: number; at: number; why: string };

type AudienceOptions = {
  url: string;
  history: History;
  lookers: number;
  followers: number;
  random: () => number;
};

/**
 * Readers that look at the newest messages again and again, and others that
 * follow them by long polls. They note how long no read succeeded, and what a
 * reader must not see: an end that goes back, a message that is not there
 * though its writer has the receipt.
 */
export class Audience {
  readonly violations: Violation[] = [];
  readonly gaps: Gap[] = [];
  readonly answers = new Map<string, number>();
  private readonly over = new AbortController();
  private running: Promise<unknown>[] = [];
  private followed: Promise<Follow>[] = [];

  constructor(private readonly options: AudienceOptions) {}

  get size(): number {
    return this.options.lookers + this.options.followers;
  }

  start(): void {
    const { lookers } = this.options;
    this.running = Array.from({ length: lookers }, (_, n) => this.look(n));
  }

  startToFollow(): void {
    const { followers } = this.options;
    this.followed = Array.from({ length: followers }, (_, n) => this.follow(n));
  }

  longestGap(since: number): Gap {
    const none = { ms: 0, at: since, why: 'none' };
    return this.gaps
      .filter(({ at, ms }) => at + ms >= since)
      .reduce((longest, gap) => (gap.ms > longest.ms ? gap : longest), none);
  }

  /** Ends them; followers first read on to the end of what there is. */
  async stop(): Promise<Follow[]> {
    this.over.abort();
    await Promise.all(this.running);
    return await Promise.all(this.followed);
  }

  private get isOver(): boolean {
    return this.over.signal.aborted;
  }

  private async look(n: number): Promise<void> {
    const { random } = this.options;
    const reads = [
      () => this.newest(n),
      () => this.acknowledged(n),
      () => this.ask(n, '/api/threads?sort=active&limit=20'),
      () => this.ask(n, '/'),
    ];
    let goodAt = performance.now();
    let bad = '';
    while (!this.isOver) {
      const answer = await reads[Math.floor(random() * reads.length)]?.();
      const now = performance.now();
      if (answer !== 'good') bad = answer ?? '';
      else {
        if (bad !== '')
          this.gaps.push({ ms: now - goodAt, at: goodAt, why: bad });
        goodAt = now;
        bad = '';
      }
      await pause(PAUSE_MS);
    }
  }

  private readonly seen: number[] = [];

  private async newest(n: number): Promise<string> {
    const before = this.seen[n] ?? 0;
    const since = Math.max(0, before - LOOK_BACK);
    const path = `/api/updates?since=${since}&limit=100`;
    return await this.ask(n, path, (text) => {
      const last = (JSON.parse(text) as Page).data.at(-1)?.id ?? 0;
      if (last < before)
        this.violate('I4', `${path} ended at ${last}, before at ${before}`);
      this.seen[n] = Math.max(before, last);
    });
  }

  private async acknowledged(n: number): Promise<string> {
    const { history } = this.options;
    const asked = performance.now();
    const acked = history.findLast(
      ({ op, res, end }) =>
        op === 'publish' && res.kind === 'ok' && end < asked - SLACK_MS,
    );
    if (acked?.op !== 'publish' || acked.res.kind !== 'ok') return 'good';
    const path = `/api/messages/${acked.res.value.id}`;
    const answer = await this.ask(n, path);
    if (answer === '404') this.violate('I1', `${path} was not shown`);
    return answer;
  }

  /** Along a cursor by long polls, to the end of what is there. */
  private async follow(n: number): Promise<Follow> {
    const t = performance.now();
    const ids: number[] = [];
    const path = '/api/updates?since=';
    let isRead = false;
    let cursor = 0;
    while (!(this.isOver && isRead)) {
      const wait = this.isOver ? '' : '&wait=5';
      const asked = this.isOver;
      const answer = await this.ask(
        1000 + n,
        `${path}${cursor}&limit=100${wait}`,
        (text) => {
          const page = JSON.parse(text) as Page;
          ids.push(...page.data.map(({ id }) => id));
          isRead = asked && page.data.length === 0;
          if (page.cursor < cursor)
            this.violate('I4', `${page.cursor} after ${cursor}`);
          cursor = page.cursor;
        },
      );
      if (answer !== 'good') await pause(PAUSE_MS);
    }
    const end = performance.now();
    return {
      t,
      end,
      op: 'follow',
      req: { path },
      res: { kind: 'ok', value: { ids } },
    };
  }

  /** One read of a network of its own; "good", its status or its failure. */
  private async ask(
    n: number,
    path: string,
    read: (text: string) => void = () => {},
  ): Promise<string> {
    const told = await this.answerOf(n, path, read);
    this.answers.set(told, (this.answers.get(told) ?? 0) + 1);
    return told;
  }

  private async answerOf(
    n: number,
    path: string,
    read: (text: string) => void,
  ): Promise<string> {
    let text: string;
    try {
      const answer = await fetch(`${this.options.url}${path}`, {
        headers: { 'X-Forwarded-For': `198.18.${4 + (n >> 8)}.${n & 255}` },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      text = await answer.text();
      if (answer.status !== 200) return String(answer.status);
    } catch (error) {
      return error instanceof Error ? error.name : 'no answer';
    }
    read(text);
    return 'good';
  }

  private violate(invariant: Violation['invariant'], what: string): void {
    const violation = { invariant, what };
    this.violations.push(violation);
    console.log(`${invariant} ${what}`);
  }
}
