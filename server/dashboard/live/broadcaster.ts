import type { Context } from '../../context.js';
import type { Channel, Subscription } from '../../db/events.js';
import { openSessions } from '../session.js';
import type { Member } from './connection.js';
import { readEvents } from './read-events.js';
import { EVENTS_AT_ONCE, numberEvents } from './sequence-events.js';

/** How long what no wake-up tells (ratings, reports) may wait. */
const TICK_MS = 200;
/** Rest between two rounds, however many wake-ups come. */
const REST_MS = 25;
/** Nobody watches: what was noted is numbered and kept for a while. */
const IDLE_MS = 20_000;
const SESSIONS_MS = 500;

const CHANNELS: readonly Channel[] = ['messages', 'polls', 'hidden', 'admin'];

/** Tells the dashboards of this process what happened on any process. */
export class Outlet {
  readonly members = new Set<Member>();
  private running: Promise<void> | null = null;
  private wakeUp: () => void = () => {};
  private stopped = false;
  private checkedAt = 0;

  constructor(private readonly ctx: Context) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Looks now, for a dashboard that has just come. */
  wake(): void {
    this.wakeUp();
  }

  /** Gives all that was noted before this call its place in the order. */
  async number(): Promise<void> {
    const { writes, clock } = this.ctx;
    let taken = EVENTS_AT_ONCE;
    while (taken === EVENTS_AT_ONCE && !this.stopped) {
      taken = await numberEvents(writes, clock.now());
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const subscriptions = CHANNELS.map((name) =>
        this.ctx.events.subscribe(name),
      );
      try {
        await this.round();
      } catch (error) {
        this.ctx.log.debug({ err: error }, 'dashboards could not be told');
      }
      await this.pause(subscriptions);
      for (const subscription of subscriptions) subscription.close();
    }
  }

  private async round(): Promise<void> {
    await this.number();
    await this.tellAll();
    await this.dropSignedOut();
  }

  private async tellAll(): Promise<void> {
    for (;;) {
      const cursors = [...this.members].map(({ cursor }) => cursor);
      if (cursors.length === 0 || this.stopped) return;
      const events = await readEvents(this.ctx.writes, Math.min(...cursors));
      if (events.length === 0) return;
      for (const member of this.members) member.tell(events);
    }
  }

  /** A session that has ended keeps no socket (spec/operators.md §1.2). */
  private async dropSignedOut(): Promise<void> {
    const now = performance.now();
    if (this.members.size === 0 || now - this.checkedAt < SESSIONS_MS) return;
    this.checkedAt = now;
    const ids = [...this.members].map(({ sessionId }) => sessionId);
    const open = await openSessions(this.ctx, [...new Set(ids)]);
    for (const { socket, sessionId } of this.members) {
      if (!open.has(sessionId)) socket.disconnect(true);
    }
  }

  private async pause(subscriptions: readonly Subscription[]): Promise<void> {
    if (this.stopped) return;
    const watched = this.members.size > 0;
    let timer: NodeJS.Timeout | undefined;
    const asked = new Promise<void>((resolve) => {
      this.wakeUp = resolve;
      timer = setTimeout(resolve, watched ? TICK_MS : IDLE_MS);
      timer.unref();
    });
    const woken = watched ? subscriptions.map((each) => each.woken) : [];
    await Promise.race([asked, ...woken]);
    clearTimeout(timer);
    if (watched && !this.stopped) {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
  }
}
