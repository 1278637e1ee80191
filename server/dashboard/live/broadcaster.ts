import { MoreThan } from 'typeorm';
import type { Context } from '../../context.js';
import { Stream } from '../../db/entities/counter.js';
import { AdminEvent, AdminPending } from '../../db/entities/dashboard.js';
import type { Channel, Subscription } from '../../db/events.js';
import { NOTED } from '../../db/live-events.js';
import type { Database, Sql } from '../../db/sql.js';
import { openTokens } from '../auth/access.sql.js';
import type { Connection } from './connection.js';
import {
  EVENTS_AT_ONCE,
  type PendingEvent,
  takePending,
  writeEvents,
} from './events.sql.js';

/** Longest wait of an event that wakes nobody (ratings, reports). */
const TICK_MS = 200;
/** Pause between rounds. */
const REST_MS = 25;
/** Interval without a dashboard: events are only numbered. */
const IDLE_MS = 20_000;
const SESSIONS_MS = 500;
const READ_AT_ONCE = 500;

const CHANNELS: readonly Channel[] = ['messages', 'polls', 'hidden', 'admin'];
const STREAM = { name: 'admin_events' };

export class Broadcaster {
  readonly connections = new Set<Connection>();
  private running: Promise<void> | null = null;
  private wakeUp: () => void = () => {};
  private stopped = false;
  private checkedAt = 0;

  constructor(private readonly ctx: Context) {}

  start(): void {
    this.running ??= this.run();
  }

  wake(): void {
    this.wakeUp();
  }

  /** All that were noted before this call. */
  async sequence(): Promise<void> {
    const { writes, clock } = this.ctx;
    let taken = EVENTS_AT_ONCE;
    while (taken === EVENTS_AT_ONCE && !this.stopped) {
      taken = await sequenceEvents(writes, clock.now());
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      // A subscription costs look-ups: none without a dashboard.
      const subscriptions =
        this.connections.size === 0
          ? []
          : CHANNELS.map((name) => this.ctx.events.subscribe(name));
      try {
        await this.sequence();
        await this.sendAll();
        await this.dropSignedOut();
      } catch (error) {
        this.ctx.log.debug({ err: error }, 'live events could not be sent');
      }
      await this.pause(subscriptions);
      for (const subscription of subscriptions) subscription.close();
    }
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      const cursors = [...this.connections].map(({ cursor }) => cursor);
      if (cursors.length === 0 || this.stopped) return;
      const after = Math.min(...cursors);
      const events = await this.ctx.writes.manager.find(AdminEvent, {
        where: { seq: MoreThan(after) },
        order: { seq: 'ASC' },
        take: READ_AT_ONCE,
      });
      if (events.length === 0) return;
      for (const connection of this.connections) connection.emit(events);
    }
  }

  /** Of ended sessions and replaced identifiers (spec/operators.md §1.2). */
  private async dropSignedOut(): Promise<void> {
    const now = performance.now();
    const { connections } = this;
    if (connections.size === 0 || now - this.checkedAt < SESSIONS_MS) return;
    this.checkedAt = now;
    // Others may connect during the query.
    const asked = [...connections];
    const tokens = new Set(asked.map(({ token }) => token));
    const { writes, clock } = this.ctx;
    const open = await openTokens(writes, [...tokens], clock.now());
    for (const { socket, token } of asked) {
      if (!open.has(token)) socket.disconnect(true);
    }
  }

  private async pause(subscriptions: readonly Subscription[]): Promise<void> {
    if (this.stopped) return;
    const watched = this.connections.size > 0;
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

function withoutRepeats(pending: readonly PendingEvent[]): PendingEvent[] {
  const last = new Map<unknown, PendingEvent>();
  for (const it of pending) {
    const { last: member } = NOTED[it.kind];
    last.set(member ? `${it.kind} ${it.payload[member]}` : it, it);
  }
  const kept = new Set(last.values());
  return pending.filter((it) => kept.has(it));
}

/**
 * One order for all processes: the stream's lock is kept until the commit, so
 * no earlier number appears later.
 * @returns how many were taken
 */
export async function sequenceEvents(
  db: Database,
  now: number,
): Promise<number> {
  if (!(await db.manager.exists(AdminPending))) return 0;
  return await db.transaction(async (tx) => {
    const { lastId } = await tx.manager.findOneOrFail(Stream, {
      where: STREAM,
      lock: { mode: 'pessimistic_write' },
    });
    const taken = await takePending(tx);
    const events = withoutRepeats(taken);
    if (events.length === 0) return 0;
    await writeEvents(tx, events, lastId, now);
    return taken.length;
  }, false);
}

/** Last number, and the lowest usable cursor. */
export async function eventBounds({ manager }: Sql) {
  const { lastId } = await manager.findOneByOrFail(Stream, STREAM);
  const first = await manager.minimum(AdminEvent, 'seq');
  return { last: lastId, oldest: first === null ? lastId : first - 1 };
}
