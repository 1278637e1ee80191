import type pg from 'pg';
import type { Logger } from '../logger.js';
import { listenTo, ping, sumOfStreams } from './connection.sql.js';
import type { Events } from './events.js';
import { type LogEnd, readGrownNote } from './grown-note.js';
import { type Connection, openSession } from './session.js';
import type { Sql } from './sql.js';

const TICK_MS = 1000;

/** NOTIFY name of poll events: ballots are no entries of the log. */
export const POLL_NOTIFICATIONS = 'board_polls';
/** Of pages of mirrored logs; the payload is the tag of who applied it. */
export const MIRROR_NOTIFICATIONS = 'board_mirror';
/** Of changes of `peer`; its trigger sends them. */
export const PEER_NOTIFICATIONS = 'board_peers';
/** Events of dashboards have been numbered. */
export const ADMIN_NOTIFICATIONS = 'board_admin';
/** Of what public reads show; triggers of the tables send them. */
const SHOWN_NOTIFICATIONS = 'board_shown';

let revision = 0;

/**
 * Grows with each change of what public reads can show. Triggers notify every
 * process of each change, so no writer can forget it; those of this process
 * raise it themselves, before their caller has the answer: each COMMIT on
 * `ctx.writes`, and a vote, which is one statement.
 */
export function boardRevision(): number {
  return revision;
}

/** Once too often costs one read. */
export function raiseRevision(): void {
  revision += 1;
}

/** How far this process knows what others have committed. */
export type Freshness = {
  /** Every commit until then is known, as `performance.now()`. */
  readonly knownUntil: number;
  /** Asks for a later `knownUntil`; at most one question is under way. */
  ask(): void;
};

export type Notifications = { freshness: Freshness; stop(): Promise<void> };

type Options = {
  connection: Connection;
  sql: Sql;
  events: Events;
  /** This board's tag: its own commits have woken its waiters already. */
  instance: string;
  /** Called at each commit of another process that public reads may show. */
  committed?: () => void;
  /** Called with the end of the log that another process has appended. */
  grown?: (end: LogEnd) => void;
  log: Logger;
};

/**
 * Turns commits of other processes into wake-ups. NOTIFY is only a hint and is
 * lost with its connection, so once a second the newest id is looked at too,
 * which also brings the connection back.
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
    /** Somebody asked while there was no connection. */
    isMissed: false,
    /**
     * PostgreSQL sends a session all notifications that are due before it
     * answers the session's next statement.
     */
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
        raiseRevision();
        wakeAll(events);
      }
      seen = size;
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
  committed,
  grown,
}: Options): Promise<pg.Client> {
  const client = await openSession(connection, 'reserve-board listener');
  client.on('notification', ({ channel, payload: note = '' }) => {
    // Only that of a growing log has more words than one.
    const { instance: payload, end } = readGrownNote(note);
    if (end !== null && payload !== instance) grown?.(end);
    // First: those who are woken read again. Events of dashboards change
    // nothing that public reads show.
    const isShown = channel !== ADMIN_NOTIFICATIONS;
    if (isShown && payload !== instance) {
      raiseRevision();
      committed?.();
    }
    if (channel === POLL_NOTIFICATIONS) events.emit('polls');
    else if (channel === SHOWN_NOTIFICATIONS) return;
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
