import type { PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import type { Logger } from '../../logger.js';
import { database, run } from '../connection.sql.js';
import { createDataSource } from '../data-source.js';
import { connectionProblem, DatabaseProblem } from '../problem.js';
import { assertOwnSessions } from '../requirements.js';
import type { Database } from '../sql.js';
import { ANSWER_MS } from './in-time.js';
import { type StandbyPosition, standbyPosition } from './position.sql.js';
import type { KnownPosition } from './primary-position.js';

const CONNECTIONS = 10;
/** How often the primary is asked whether it shows what a replica showed. */
const LOOKS = 3;
/** A replica that failed is left alone for so long, twice as long each time. */
const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 10_000;
/** One that is behind so often in a row rests, too, first for 1/16 of it. */
const BEHIND_IN_A_ROW = 4;

/** What a replica is, with a sentence for operators (`SENTENCES`). */
export type ReplicaState =
  | 'unknown'
  | 'serving'
  | 'behind'
  | 'unreachable'
  | 'primary'
  | 'foreign'
  | 'other_timeline';

export const SENTENCES: Readonly<Record<ReplicaState, string>> = {
  unknown: 'It was not asked yet.',
  serving: 'It answers reads.',
  behind: 'It has not replayed what readers were shown; the primary answers.',
  unreachable: 'It does not answer; the primary does.',
  primary:
    'It is no standby: it was promoted, or names the primary; the primary answers.',
  foreign:
    'It is a standby of another database; correct DATABASE_REPLICA_URLS.',
  other_timeline:
    'It has not followed the last promotion; it is taken again when it does, at a checkpoint at the latest. If it stays so, copy it from the primary again.',
};

export type ReplicaFacts = {
  state: ReplicaState;
  /** Of PostgreSQL's log of changes, when it was last looked at. */
  behindBytes: number | null;
  /** Statements that it answered. */
  reads: number;
};

export type Statement = { text: string; values: readonly unknown[] };

/** What a read needs of the primary. */
export type Asking = {
  position: KnownPosition;
  /** Asked again, where the replica shows more than that. */
  askAgain: () => Promise<KnownPosition>;
};

/** A server with no table of a board. */
const NO_TABLE = '42P01';

/**
 * One standby. It answers a read only when it has replayed all that the primary
 * had made durable as the read began, and only what the primary shows, too: a
 * synchronous standby shows a commit before its primary does.
 */
export class Replica {
  private source: DataSource | null = null;
  private db: Database | null = null;
  private joining: Promise<void> | null = null;
  private restUntil = Number.NEGATIVE_INFINITY;
  private leftAt = Number.NEGATIVE_INFINITY;
  private restMs = FIRST_REST_MS;
  private timesBehind = 0;
  private isStopped = false;
  readonly facts: ReplicaFacts = {
    state: 'unknown',
    behindBytes: null,
    reads: 0,
  };

  constructor(
    private readonly url: string,
    /** Its place in DATABASE_REPLICA_URLS, from 1; addresses are not told. */
    readonly number: number,
    private readonly log: Logger,
    private readonly timeoutFactor: number,
  ) {}

  /**
   * Whether it may be asked just now; otherwise it may be on its way. When the
   * primary is away, one that lags rests no longer, and all others rest shortly.
   */
  isOpen(isPrimaryAway = false): boolean {
    const now = performance.now();
    const isNeeded =
      isPrimaryAway &&
      (this.facts.state === 'behind' || now - this.leftAt > FIRST_REST_MS);
    if (this.isStopped || (now < this.restUntil && !isNeeded)) return false;
    if (this.db === null) this.joining ??= this.join();
    return this.db !== null;
  }

  /** The rows of a statement; null where the primary has to be asked. */
  async read<Row extends QueryResultRow>(
    statement: Statement,
    asking: Asking,
  ): Promise<Row[] | null> {
    const isGood = (at: StandbyPosition) => this.judge(at, asking.position);
    const found = await this.ask((client) =>
      answer<Row>(client, statement, isGood),
    );
    if (found === null || !(await isShown(found.streams, asking))) return null;
    this.facts.reads += 1;
    return found.rows;
  }

  /** Looks at it, for those who want to know. */
  async look(position: KnownPosition): Promise<void> {
    if (!this.isOpen()) return;
    await this.ask(async (client) => {
      this.judge(await standbyPosition(client), position);
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.joining;
    await this.source?.destroy();
  }

  private async ask<T>(
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T | null> {
    try {
      return (await this.db?.withClient(work)) ?? null;
    } catch (error) {
      const { code } = error as { code?: string };
      this.leave(code === NO_TABLE ? 'foreign' : 'unreachable');
      return null;
    }
  }

  private async join(): Promise<void> {
    const { url, timeoutFactor } = this;
    const source = createDataSource(
      { url },
      {
        max: CONNECTIONS,
        timeoutFactor,
        answerMs: ANSWER_MS,
        inOneTrip: true,
        onPoolError: () => this.leave('unreachable'),
      },
    );
    try {
      await assertOwnSessions({ url }, timeoutFactor);
      this.source = await source.initialize();
      this.db = database(source);
    } catch (error) {
      this.leave('unreachable', connectionProblem(error));
    } finally {
      this.joining = null;
    }
  }

  /** Whether it may answer; false, and its state, where it may not. */
  private judge(at: StandbyPosition, position: KnownPosition): boolean {
    this.facts.behindBytes = Math.max(0, position.wal - at.wal);
    if (at.system !== position.system) return this.leave('foreign');
    if (!at.isStandby) return this.leave('primary');
    if (at.timeline !== position.timeline) return this.leave('other_timeline');
    if (!hasReplayed(at, position)) return this.fallBehind();
    this.timesBehind = 0;
    // It may have been asked during its rest, as the primary is away.
    this.restUntil = Number.NEGATIVE_INFINITY;
    this.restMs = FIRST_REST_MS;
    this.become('serving');
    return true;
  }

  /** Being behind for a moment is nothing; who stays so is asked less. */
  private fallBehind(): false {
    this.timesBehind += 1;
    if (this.timesBehind < BEHIND_IN_A_ROW) return false;
    this.become('behind');
    const times = this.timesBehind - BEHIND_IN_A_ROW - 4;
    const restMs = Math.min(FIRST_REST_MS * 2, FIRST_REST_MS * 2 ** times);
    this.restUntil = performance.now() + restMs;
    return false;
  }

  private leave(state: ReplicaState, error?: unknown): false {
    this.become(state, error);
    this.leftAt = performance.now();
    this.restUntil = this.leftAt + this.restMs;
    this.restMs = Math.min(this.restMs * 2, LONGEST_REST_MS);
    return false;
  }

  private become(state: ReplicaState, error?: unknown): void {
    const { facts, number: replica, log } = this;
    if (facts.state === state) return;
    facts.state = state;
    if (state !== 'serving' && state !== 'behind') facts.behindBytes = null;
    const reason =
      error instanceof DatabaseProblem
        ? error.message.replaceAll('DATABASE_URL', 'DATABASE_REPLICA_URLS')
        : undefined;
    const level = state === 'serving' ? 'info' : 'warn';
    log[level]({ replica, state, reason }, SENTENCES[state]);
  }
}

/**
 * A statement between two looks at its server, in one round trip. Null where it
 * may not answer, or refuses the statement, which the primary then judges.
 *
 * @throws what the connection throws.
 */
async function answer<Row extends QueryResultRow>(
  client: PoolClient,
  { text, values }: Statement,
  isGood: (at: StandbyPosition) => boolean,
): Promise<{ rows: Row[]; streams: number } | null> {
  const [before, rows, after] = await Promise.allSettled([
    standbyPosition(client),
    run<Row>(client, text, values),
    standbyPosition(client),
  ]);
  if (before.status === 'rejected') throw before.reason;
  if (after.status === 'rejected') throw after.reason;
  if (!isGood(before.value) || !isGood(after.value)) return null;
  if (rows.status === 'rejected') return null;
  return { rows: rows.value, streams: after.value.streams };
}

/**
 * Whether it shows all that readers may have been shown. What a primary that is
 * away had made durable, but not yet sent, no standby ever gets, nor was it shown
 * where standbys are synchronous: then all that is in the streams counts.
 */
function hasReplayed(at: StandbyPosition, position: KnownPosition): boolean {
  const { past } = position;
  if (past === null) return at.wal >= position.wal;
  const isEndIn =
    at.origin !== past.end?.origin || (at.size ?? 0) >= past.end.size;
  return at.streams >= position.streams && isEndIn;
}

/** Whether the primary shows as much; without it nothing else can be shown. */
async function isShown(
  streams: number,
  { position, askAgain }: Asking,
): Promise<boolean> {
  let now = position;
  for (let n = 0; now.streams < streams && n < LOOKS; n += 1) {
    if (now.past !== null) return true;
    now = await askAgain();
  }
  return now.streams >= streams;
}
