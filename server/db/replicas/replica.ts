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
/** Doubled at each failure in a row. */
const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 10_000;
/** After so many lags in a row it rests, too, first for 1/16 of it. */
const BEHIND_IN_A_ROW = 4;

/** `SENTENCES` explains each to operators. */
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
  /** Of the WAL, at the last look. */
  behindBytes: number | null;
  reads: number;
};

export type Statement = { text: string; values: readonly unknown[] };

export type Asking = {
  position: KnownPosition;
  /** For when the replica shows more than that. */
  askAgain: () => Promise<KnownPosition>;
};

/** PostgreSQL's undefined_table. */
const NO_TABLE = '42P01';

/**
 * A standby. It answers only when it has replayed all that was durable as the
 * read began, and shows nothing that the primary does not show yet (a
 * synchronous standby is early).
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
    /** Place in DATABASE_REPLICA_URLS, from 1; addresses stay secret. */
    readonly number: number,
    private readonly log: Logger,
    private readonly timeoutFactor: number,
  ) {}

  /** While the primary is away, replicas rest shortly or not at all. */
  isOpen(isPrimaryAway = false): boolean {
    const now = performance.now();
    const isNeeded =
      isPrimaryAway &&
      (this.facts.state === 'behind' || now - this.leftAt > FIRST_REST_MS);
    if (this.isStopped || (now < this.restUntil && !isNeeded)) return false;
    if (this.db === null) this.joining ??= this.join();
    return this.db !== null;
  }

  /** Null: ask the primary. */
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

  /** False, and its state, where it may not answer. */
  private judge(at: StandbyPosition, position: KnownPosition): boolean {
    this.facts.behindBytes = Math.max(0, position.wal - at.wal);
    if (at.system !== position.system) return this.leave('foreign');
    if (!at.isStandby) return this.leave('primary');
    if (at.timeline !== position.timeline) return this.leave('other_timeline');
    if (!hasReplayed(at, position)) return this.fallBehind();
    this.timesBehind = 0;
    // While the primary is away it may be asked during its rest.
    this.restUntil = Number.NEGATIVE_INFINITY;
    this.restMs = FIRST_REST_MS;
    this.become('serving');
    return true;
  }

  /** A moment's lag is normal; one that persists is asked less. */
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
 * A statement between two looks, in one round trip. Null: ask the primary.
 * @throws what the connection throws
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
 * Whether it shows all that readers have seen. What a lost primary had not sent
 * was never shown where standbys are synchronous, so only the streams count
 * then.
 */
function hasReplayed(at: StandbyPosition, position: KnownPosition): boolean {
  const { past } = position;
  if (past === null) return at.wal >= position.wal;
  const isEndIn =
    at.origin !== past.end?.origin || (at.size ?? 0) >= past.end.size;
  return at.streams >= position.streams && isEndIn;
}

/** True while the primary is away: nothing else can be shown. */
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
