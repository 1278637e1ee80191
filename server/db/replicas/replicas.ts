import type { QueryResultRow } from 'pg';
import type { Logger } from '../../logger.js';
import type { LogEnd } from '../notifications.js';
import type { Database } from '../sql.js';
import { ANSWER_MS, inTime, NoAnswer } from './in-time.js';
import { PrimaryPosition } from './primary-position.js';
import {
  type Asking,
  Replica,
  type ReplicaFacts,
  SENTENCES,
  type Statement,
} from './replica.js';
import { askPrimary, noting, routed } from './route.sql.js';

export type ReplicaStatus = ReplicaFacts & { number: number; sentence: string };

type Looked = { primaryReads: number; replicas: ReplicaStatus[] };

type Parts = {
  urls: readonly string[];
  primary: Database;
  log: Logger;
  timeoutFactor: number;
};

/** Standbys read in turn; else the primary does (spec/board.md §14.7). */
export class Replicas {
  private readonly all: readonly Replica[];
  private readonly position: PrimaryPosition;
  private turn = 0;
  private primaryReads = 0;
  private looking: Promise<Looked> | null = null;

  constructor(private readonly parts: Parts) {
    const { urls, primary, log, timeoutFactor } = parts;
    this.position = new PrimaryPosition(primary, timeoutFactor);
    this.all = urls.map(
      (url, at) => new Replica(url, at + 1, log, timeoutFactor),
    );
  }

  /** Single statements by hand may be answered by a replica, nothing else. */
  get reads(): Database {
    return routed(this.parts.primary, (statement) => this.read(statement));
  }

  /** Tells replicas of each commit, which they have to show. */
  noting(writes: Database): Database {
    return noting(writes, () => this.committed());
  }

  committed(): void {
    this.position.committed();
  }

  showUpTo(end: () => LogEnd | null): void {
    this.position.end = end;
  }

  /** Simultaneous callers share one look. */
  look(): Promise<Looked> {
    this.looking ??= this.lookAtAll().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async lookAtAll(): Promise<Looked> {
    const position = await this.position.ask().catch(() => null);
    if (position !== null) {
      await Promise.all(this.all.map((replica) => replica.look(position)));
    }
    return {
      primaryReads: this.primaryReads,
      replicas: this.all.map(({ number, facts }) => ({
        number,
        ...facts,
        sentence: SENTENCES[facts.state],
      })),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.stop()));
  }

  private async read<Row extends QueryResultRow>(
    statement: Statement,
  ): Promise<Row[]> {
    const rows = await this.ask<Row>(statement);
    if (rows !== null) return rows;
    this.primaryReads += 1;
    const answer = askPrimary<Row>(this.parts.primary, statement);
    try {
      return await inTime(answer, this.answerMs);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      answer.catch(() => {}); // a replica may answer meanwhile
      // If the primary was lost just now, waiting for it would take seconds.
      return (await this.ask<Row>(statement)) ?? (await answer);
    }
  }

  /**
   * Null: ask the primary.
   * @throws what the primary's connection throws, where no replica may answer
   */
  private async ask<Row extends QueryResultRow>(
    statement: Statement,
  ): Promise<Row[] | null> {
    const askAgain = () => this.position.ask();
    const position = await askAgain();
    const asking = { position, askAgain };
    if (position.past !== null)
      return await this.askAll<Row>(statement, asking);
    const open = this.all.filter((replica) => replica.isOpen());
    this.turn += 1;
    const one = open[this.turn % Math.max(1, open.length)];
    return (await one?.read<Row>(statement, asking)) ?? null;
  }

  /** While the primary is away all are asked at once. */
  private async askAll<Row extends QueryResultRow>(
    statement: Statement,
    asking: Asking,
  ): Promise<Row[] | null> {
    const open = this.all.filter((replica) => replica.isOpen(true));
    const asked = open.map(async (replica) => {
      const answer = replica.read<Row>(statement, asking);
      const rows = await inTime(answer, this.answerMs);
      if (rows === null) throw new NoAnswer();
      return rows;
    });
    const isBack = this.position.assertAnswers().then(() => null);
    try {
      return await Promise.any([...asked, isBack]);
    } catch {
      return await isBack; // throws what the primary's connection throws
    }
  }

  private get answerMs(): number {
    return ANSWER_MS * this.parts.timeoutFactor;
  }
}

export async function seenReplicas(replicas: Replicas | null) {
  const looked = await replicas?.look();
  return (looked?.replicas ?? []).map(
    ({ behindBytes: behind_bytes, ...it }) => ({ ...it, behind_bytes }),
  );
}
