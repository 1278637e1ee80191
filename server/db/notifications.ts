import type pg from 'pg';
import type { Logger } from '../logger.js';
import { listenTo, ping, sumOfStreams } from './connection.sql.js';
import type { Events } from './events.js';
import { type Connection, openSession } from './session.js';
import type { Sql } from './sql.js';

const TICK_MS = 1000;

/** Ballots are no entries of the log. */
export const POLL_NOTIFICATIONS = 'board_polls';
/** The payload is the tag of the process that applied the page. */
export const MIRROR_NOTIFICATIONS = 'board_mirror';
/** Sent by the trigger of `peer`. */
export const PEER_NOTIFICATIONS = 'board_peers';
export const ADMIN_NOTIFICATIONS = 'board_admin';
/** Sent by triggers when public reads change, with the roots of `readRoots`. */
const SHOWN_NOTIFICATIONS = 'board_shown';
const MAX_THREADS = 10_000;

let revision = 0;
/** Of the newest change of more than threads and what lists them. */
let everything = 0;
/** Of the newest change of each thread since. */
const threads = new Map<number, number>();

/** Grows with each change of public reads, in every process. */
export function boardRevision(): number {
  return revision;
}

/**
 * An unneeded call costs one read.
 * @param roots all that changed, besides lists, is in their threads; null: more
 */
export function raiseRevision(roots: readonly number[] | null = null): void {
  revision += 1;
  for (const root of roots ?? []) threads.set(root, revision);
  if (roots !== null && threads.size <= MAX_THREADS) return;
  everything = revision;
  threads.clear();
}

/** @param thread its root, where an answer shows of nothing else; null: of more */
export function isCurrent(made: number, thread: number | null): boolean {
  const changed = thread === null ? revision : (threads.get(thread) ?? 0);
  return made >= everything && made >= changed;
}

export type Freshness = {
  /** Every commit until then is known, as `performance.now()`. */
  readonly knownUntil: number;
  /** Asks for a later `knownUntil`; one question at a time. */
  ask(): void;
};

export type Notifications = { freshness: Freshness; stop(): Promise<void> };

type Options = {
  connection: Connection;
  sql: Sql;
  events: Events;
  /** Notes with this tag are skipped: own waiters were woken already. */
  instance: string;
  /** Hears of commits of other processes that public reads may show. */
  replicas: { committed(): void } | null;
  /** Hears that another process has appended to the log. */
  memory: { remember(end: LogEnd): void };
  log: Logger;
};

/**
 * Turns commits of other processes into wake-ups. NOTIFY is lost with its
 * connection, so the newest id is also read once a second.
 */
export async function listen(options: Options): Promise<Notifications> {
  const { sql, events, log } = options;
  let client: pg.Client | null = null;
  const join = async () => {
    const joined = await connect(options);
    client = joined;
    raiseRevision(); // notifications before this one were lost
    joined.once('end', () => {
      if (client === joined) client = null;
    });
  };
  await join();
  const freshness = {
    knownUntil: Number.NEGATIVE_INFINITY,
    isAsking: false,
    /** Asked for while there was no connection. */
    isMissed: false,
    /** PostgreSQL sends due notifications before the answer to a statement. */
    ask() {
      this.isMissed = client === null;
      if (client === null || this.isAsking) return;
      this.isAsking = true;
      const askedAt = performance.now();
      ping(client)
        .then(
          () => {
            this.knownUntil = askedAt;
          },
          () => {}, // its connection ends, and another one is asked
        )
        .finally(() => {
          this.isAsking = false;
        });
    },
  };
  let seen = 0;
  let known = revision;
  let busy = false;
  let looking: Promise<void> = Promise.resolve();
  const tick = async () => {
    const waiting =
      events.waiters('messages') +
      events.waiters('log') +
      events.waiters('polls') +
      events.waiters('mirror');
    if (waiting === 0 && !freshness.isMissed) return;
    busy = true;
    try {
      if (client === null) await join();
      freshness.isMissed = false;
      if (waiting === 0) return;
      const size = (await sumOfStreams(sql)) ?? seen;
      if (size !== seen) {
        // Else it came with notifications, which said what changed.
        if (revision === known) raiseRevision();
        wakeAll(events);
      }
      seen = size;
      known = revision;
    } catch (error) {
      log.debug({ err: error }, 'the database could not be looked at');
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => {
    if (!busy) looking = tick();
  }, TICK_MS);
  timer.unref();
  return {
    freshness,
    stop: async () => {
      clearInterval(timer);
      await looking; // it may be opening another connection
      await client?.end().catch(() => undefined);
    },
  };
}

async function connect({
  connection,
  events,
  instance,
  replicas,
  memory,
}: Options): Promise<pg.Client> {
  const client = await openSession(connection, 'reserve-board listener');
  client.on('notification', ({ channel, payload: note = '' }) => {
    const isByTrigger = channel === SHOWN_NOTIFICATIONS;
    // Only that of a growing log has several words.
    const { instance: payload, end, roots } = readGrownNote(note);
    if (end !== null && payload !== instance) memory.remember(end);
    // Before the wake-up: those who are woken read again.
    const isShown = channel !== ADMIN_NOTIFICATIONS;
    if (isShown && payload !== instance) {
      raiseRevision(isByTrigger ? readRoots(note) : roots);
      replicas?.committed();
    }
    if (channel === POLL_NOTIFICATIONS) events.emit('polls');
    else if (isByTrigger) return;
    else if (channel === PEER_NOTIFICATIONS) events.emit('peers');
    else if (channel === ADMIN_NOTIFICATIONS) events.emit('admin');
    else if (channel === MIRROR_NOTIFICATIONS) {
      if (payload !== instance) events.emit('mirror');
    } else if (payload !== instance) wakeAll(events);
  });
  try {
    await listenTo(client, [
      'board_log',
      POLL_NOTIFICATIONS,
      MIRROR_NOTIFICATIONS,
      PEER_NOTIFICATIONS,
      ADMIN_NOTIFICATIONS,
      SHOWN_NOTIFICATIONS,
    ]);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

function wakeAll(events: Events): void {
  events.emit('messages');
  events.emit('log');
  events.emit('polls');
  events.emit('mirror');
  events.emit('relays');
}

export type LogEnd = { origin: string; size: number; root: Uint8Array };

/** The NOTIFY payload when the own log has grown. `roots`: `raiseRevision`. */
export function grownNote(
  instance: string,
  { origin, size, root }: LogEnd,
  roots: readonly number[] | null,
): string {
  const head = Buffer.from(root).toString('hex');
  return `${instance} ${origin} ${size} ${head} ${roots?.join() ?? ''}`;
}

/** Releases before send neither `end` nor `roots`. */
function readGrownNote(note: string): {
  instance: string;
  end: LogEnd | null;
  roots: number[] | null;
} {
  const [instance = '', origin, size, root, roots = ''] = note.split(' ');
  if (origin === undefined || size === undefined || root === undefined) {
    return { instance, end: null, roots: null };
  }
  const end = { origin, size: Number(size), root: Buffer.from(root, 'hex') };
  return { instance, end, roots: readRoots(roots) };
}

const readRoots = (text: string) =>
  text === '' ? null : text.split(',').map(Number);
