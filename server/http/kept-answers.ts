import type { ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { type Clock, DAY_MS, utcDayStart } from '../clock.js';
import { boardRevision } from '../db/revision.js';
import { routePattern } from './route-pattern.js';

/** What other processes commit without a word is seen after so long. */
const KEPT_MS = 1000;
/** From then on one reader fetches it anew while the others are served. */
const FRESH_MS = 750;
const MAX_ANSWERS = 5000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ANSWER_BYTES = 512 * 1024;

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
  revision: number;
  /** As `performance.now()` and the board's clock told it. */
  madeAt: number;
  clockAt: number;
  until: number;
  renewing: boolean;
};

type Finished = {
  bytes: Uint8Array;
  type: string;
  etag: string;
  until: number | undefined;
};

const offers = new WeakMap<ServerResponse, (answer: Finished) => void>();

/**
 * Finished answers by address. One holds while nothing was committed that
 * public reads show (`boardRevision`), until the next poll deadline or UTC
 * midnight, and for a second at most: so much later than this process another
 * one's commits may show, when no hint of them came.
 */
export class KeptAnswers {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly clock: Clock) {}

  /** The answer of an address, if it is one that may still be given. */
  find(url: string): KeptAnswer | null {
    const entry = this.entries.get(url);
    if (entry === undefined) return null;
    const age = performance.now() - entry.madeAt;
    if (!this.isGood(entry, age)) {
      this.drop(url, entry);
      return null;
    }
    if (age > FRESH_MS && !entry.renewing) {
      entry.renewing = true;
      return null;
    }
    return entry;
  }

  private isGood(entry: Entry, age: number): boolean {
    const now = this.clock.now();
    return (
      age < KEPT_MS &&
      entry.revision === boardRevision() &&
      now >= entry.clockAt &&
      now - entry.clockAt < KEPT_MS &&
      now < entry.until
    );
  }

  /** Takes the answer that `res` is going to have, for this address. */
  offer(url: string, res: Response): void {
    // Read before the database is: a commit in between counts as later.
    const revision = boardRevision();
    const madeAt = performance.now();
    const clockAt = this.clock.now();
    offers.set(res, ({ bytes, type, etag, until }) => {
      const midnight = utcDayStart(clockAt) + DAY_MS;
      this.put(url, {
        bytes,
        type,
        etag,
        headers: headersOf(res),
        route: routePattern(res.req).route,
        revision,
        madeAt,
        clockAt,
        until: Math.min(midnight, until ?? midnight),
        renewing: false,
      });
    });
  }

  private put(url: string, entry: Entry): void {
    if (entry.revision !== boardRevision()) return;
    if (entry.bytes.length > MAX_ANSWER_BYTES) return;
    const before = this.entries.get(url);
    if (before !== undefined) this.drop(url, before);
    this.entries.set(url, entry);
    this.bytes += entry.bytes.length;
    this.sweep(entry.madeAt - KEPT_MS);
  }

  /** The map is in order of age, so what is over stands first. */
  private sweep(since: number): void {
    for (const [url, entry] of this.entries) {
      const fits = this.entries.size <= MAX_ANSWERS && this.bytes <= MAX_BYTES;
      if (fits && entry.madeAt >= since) return;
      this.drop(url, entry);
    }
  }

  private drop(url: string, entry: Entry): void {
    this.entries.delete(url);
    this.bytes -= entry.bytes.length;
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
