import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { Context } from '../context.js';
import { type Hold, LongPoll } from '../http/long-poll.js';
import { readIndexed } from './inbox-entries.sql.js';
import { SharedReads } from './shared-reads.js';
import { type NewMessage, newMessages } from './updates-page.sql.js';

/** Read by one statement; more take another one. */
const AT_ONCE = 200;
/** Answered in one turn of the event loop, so that other work comes between. */
const AT_A_TURN = 50;

/** What a reader wants of the board's messages above `since`. */
export type Wanted<P> = {
  since: number;
  /** Equal for what differs in `since` only. */
  key: string;
  /** What is there already, by a statement. */
  look(): Promise<Looked<P>>;
  /** The same condition of a new message, in memory. */
  wants(message: NewMessage): boolean;
  /** Of all that it wants; null: only `look` can tell. */
  page(messages: readonly NewMessage[], newest: number): P | null;
};

export type Looked<P> = { page: P; found: boolean; newest: number };

/** Where a reader is: everything up to `newest` was seen. */
type Place = { newest: number; wakes: number };
export type Seen<P> = { page: P; found: boolean; place: Place };

type Given = { page: unknown; place: Place };
/** A class: thousands weigh what one of them does. */
class Waiter {
  constructor(
    private readonly waits: MessageWaits,
    readonly wanted: Wanted<unknown>,
    readonly settle: (given: Given | null | Promise<never>) => void,
  ) {}

  close(): void {
    this.waits.remove(this);
    this.settle(null);
  }
}

/**
 * All who wait for messages of the board. A message costs one statement for
 * all of them, each with conditions of its own.
 */
export class MessageWaits {
  private readonly polls: LongPoll;
  private readonly shared = new SharedReads<Looked<unknown>>();
  readonly waiters = new Set<Waiter>();
  /** Up to here nothing is new to any waiter. */
  private edge = Number.POSITIVE_INFINITY;
  private newest = 0;
  private looking = false;
  private again = false;

  constructor(private readonly ctx: Context) {
    this.polls = new LongPoll(ctx, 'messages');
    ctx.events.gather('messages', this);
  }

  wake(): void {
    void this.look();
  }

  private get wakes(): number {
    return this.ctx.events.count('messages');
  }

  hold(req: Request, res: Response, seconds: number | null): Hold {
    return this.polls.hold(req, res, seconds);
  }

  /**
   * The answer with what is there, or comes within `seconds`.
   * @throws BoardError `rate_limited` without a free place to wait
   */
  async until<P>(
    req: Request,
    res: Response,
    seconds: number,
    wanted: Wanted<P>,
  ): Promise<{ json: P }> {
    const hold = this.hold(req, res, seconds);
    try {
      let seen: Seen<P> | null = await this.first(wanted);
      if (seen.found || seconds === 0 || hold.over) return { json: seen.page };
      hold.takePlace();
      const { place } = seen;
      seen = null; // an empty page for each reader would weigh
      seen = await this.next(hold, wanted, place);
      const none = () => wanted.page([], this.newest);
      return { json: seen?.page ?? none() ?? (await this.first(wanted)).page };
    } finally {
      hold.release();
    }
  }

  /** By a statement, which equal requests of a moment share. */
  async first<P>(wanted: Wanted<P>): Promise<Seen<P>> {
    // Before the look: a commit in between raises it.
    const { wakes } = this;
    const name = `${wanted.since} ${wanted.key}`;
    const looked = await this.shared.get(name, wanted.look);
    const { page, found, newest } = looked as Looked<P>;
    return { page, found, place: { newest, wakes } };
  }

  /** What comes behind a place; null when the hold is over. */
  next<P>(
    hold: Hold,
    wanted: Wanted<P>,
    { newest, wakes }: Place,
  ): Promise<Seen<P> | null> {
    // No frame of an async function for each reader.
    const given = new Promise<Given | null>((settle) => {
      const waiter = new Waiter(this, wanted, settle);
      this.waiters.add(waiter);
      this.edge = Math.min(this.edge, newest);
      this.newest = Math.max(this.newest, newest);
      hold.keep(waiter);
      if (this.wakes !== wakes) void this.look();
    });
    return given.then((one) => {
      if (one === null) return null;
      const { page, place } = one;
      if (page === null) return this.first(wanted);
      return { page: page as P, found: true, place };
    });
  }

  remove(waiter: Waiter): void {
    this.waiters.delete(waiter);
    if (this.waiters.size === 0) this.edge = Number.POSITIVE_INFINITY;
  }

  /** At most one look is under way. */
  private async look(): Promise<void> {
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    const most = this.ctx.limits.references_max;
    try {
      while (this.again && this.waiters.size > 0) {
        this.again = false;
        const { edge: from, wakes } = this;
        // Readers who come meanwhile lower it to where they looked.
        this.edge = Number.POSITIVE_INFINITY;
        const seen = await readIndexed(this.ctx, (sql) =>
          newMessages(sql, from, AT_ONCE, most),
        );
        const { messages } = seen;
        const last = messages[AT_ONCE - 1]?.id;
        const newest = last ?? Math.max(from, seen.newest);
        // A reader's own look saw less than this one's start.
        this.again ||= last !== undefined || this.edge < from;
        if (this.edge < from) continue;
        this.edge = Math.min(this.edge, newest);
        this.newest = Math.max(this.newest, newest);
        await this.give(messages, { newest, wakes });
      }
    } catch (error) {
      for (const waiter of this.waiters) {
        this.remove(waiter);
        waiter.settle(Promise.reject(error));
      }
    } finally {
      this.looking = false;
    }
  }

  /** Readers with the same page share it. */
  private async give(messages: NewMessage[], place: Place): Promise<void> {
    const pages = new Map<string, unknown>();
    let answered = 0;
    for (const waiter of [...this.waiters]) {
      const { wanted } = waiter;
      const { since, key } = wanted;
      const found = messages.filter(
        (message) => message.id > since && wanted.wants(message),
      );
      const [first] = found;
      if (first === undefined) continue;
      const name = `${first.id} ${key}`;
      if (!pages.has(name)) pages.set(name, wanted.page(found, place.newest));
      this.remove(waiter);
      waiter.settle({ page: pages.get(name), place });
      answered += 1;
      if (answered % AT_A_TURN === 0) await nextTurn();
    }
  }
}
