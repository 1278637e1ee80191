import type { ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { type Clock, DAY_MS, utcDayStart } from '../../clock.js';
import type { Hearing } from '../../db/notify-roundtrip.js';
import { boardRevision } from '../../db/revision.js';
import { routePattern } from '../route-pattern.js';

/** What others commit is seen after so long where no hint of it comes. */
const KEPT_MS = 1000;
/** From then on it is asked whether all hints have come. */
const ASK_MS = 300;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ANSWER_BYTES = 512 * 1024;
/** What an answer takes beside its bytes, about. */
const ENTRY_BYTES = 1024;

/** An answer of 200 as it goes out, but for what is said of rate limits. */
export type KeptAnswer = {
  bytes: Uint8Array;
  etag: string;
  /** Names and values by turns, without those of content and limits. */
  headers: readonly string[];
  type: string;
  route: string;
};

type Entry = KeptAnswer & {
  /** As `performance.now()` and the board's clock told it. */
  madeAt: number;
  clockAt: number;
  until: number;
  /** Since it was last among the oldest. */
  read: boolean;
};

type Finished = {
  bytes: Uint8Array;
  type: string;
  etag: string;
  until: number | undefined;
};

const offers = new WeakMap<ServerResponse, (answer: Finished) => void>();

const weightOf = ({ bytes }: Entry) => bytes.length + ENTRY_BYTES;

/**
 * Finished answers by address. They hold while nothing was committed that
 * public reads show (`boardRevision`), each until its next poll deadline or UTC
 * midnight. Of other processes' commits notifications tell; an answer is given
 * only while less than a second has passed since it was certain that all had
 * come (`hearing`), or since it was made.
 */
export class KeptAnswers {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;
  /** That of all entries. */
  private revision = 0;

  constructor(
    private readonly clock: Clock,
    private readonly hearing: Hearing,
  ) {}

  /** The answer of an address, if it is one that may still be given. */
  find(url: string): KeptAnswer | null {
    if (this.revision !== boardRevision()) return null;
    const entry = this.entries.get(url);
    if (entry === undefined) return null;
    const { hearing } = this;
    const certain = Math.max(entry.madeAt, hearing.heardAt);
    const unheard = performance.now() - certain;
    if (unheard > ASK_MS) hearing.ask();
    const now = this.clock.now();
    const isGood =
      unheard < KEPT_MS && now >= entry.clockAt && now < entry.until;
    if (!isGood) return null;
    entry.read = true;
    return entry;
  }

  /** Takes the answer that `res` is going to have, for this address. */
  offer(url: string, res: Response): void {
    // Read before the database is: a commit in between counts as later.
    const revision = boardRevision();
    const madeAt = performance.now();
    const clockAt = this.clock.now();
    offers.set(res, ({ bytes, type, etag, until }) => {
      if (bytes.length > MAX_ANSWER_BYTES || !this.isOf(revision)) return;
      const midnight = utcDayStart(clockAt) + DAY_MS;
      this.put(url, {
        bytes,
        type,
        etag,
        headers: headersOf(res),
        route: routePattern(res.req).route,
        madeAt,
        clockAt,
        until: Math.min(midnight, until ?? midnight),
        read: false,
      });
    });
  }

  /** Whether it is the newest revision; entries of others go. */
  private isOf(revision: number): boolean {
    const newest = boardRevision();
    if (this.revision !== newest) {
      this.entries.clear();
      this.bytes = 0;
      this.revision = newest;
    }
    return revision === newest;
  }

  private put(url: string, entry: Entry): void {
    const before = this.entries.get(url);
    if (before !== undefined) this.drop(url, before);
    this.entries.set(url, entry);
    this.bytes += weightOf(entry);
    this.makeRoom();
  }

  /** The oldest go; one that was read meanwhile counts as new, once. */
  private makeRoom(): void {
    for (const [url, entry] of this.entries) {
      if (this.bytes <= MAX_BYTES) return;
      this.drop(url, entry);
      if (!entry.read) continue;
      entry.read = false;
      this.entries.set(url, entry);
      this.bytes += weightOf(entry);
    }
  }

  private drop(url: string, entry: Entry): void {
    this.entries.delete(url);
    this.bytes -= weightOf(entry);
  }
}

const OF_THE_REQUEST = /^(?:ratelimit|content-(?:type|length))$/i;

/** `@types/node` tells of it for requests only. */
type AsSet = { getRawHeaderNames(): string[] };

/** Names are written as they were set. */
function headersOf(res: ServerResponse): string[] {
  return (res as ServerResponse & AsSet)
    .getRawHeaderNames()
    .flatMap((name) =>
      OF_THE_REQUEST.test(name) ? [] : [name, String(res.getHeader(name))],
    );
}

/** Keeps what a read answers, when its route says that anybody may have it. */
export function offerToKeep(kept: KeptAnswers): RequestHandler {
  return (req, res, next) => {
    kept.offer(req.originalUrl, res);
    next();
  };
}

/** Called with each finished answer of 200 that may be revalidated. */
export function keepAnswer(res: ServerResponse, answer: Finished): void {
  offers.get(res)?.(answer);
}
