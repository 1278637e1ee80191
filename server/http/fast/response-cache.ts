import type {
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type Clock, DAY_MS, utcDayStart } from '../../clock.js';
import { boardRevision, type Freshness } from '../../db/notifications.js';
import { acceptedByName, takesGzip } from '../accept.js';
import { readsLeft } from '../rate-limits/read-limiter.js';
import { requestState, routePattern } from '../request-state.js';
import { matchesEtag } from '../send.js';
import type { EarlyReads } from './early-reads.js';

/** What others commit is seen after so long where no hint of it comes. */
const KEPT_MS = 1000;
/** From then on it is asked whether all hints have come. */
const ASK_MS = 300;
const MAX_BYTES = 32 * 1024 * 1024;
/** Addresses that are remembered as asked for, and their characters. */
const MAX_ASKED = 10_000;
const MAX_ASKED_LENGTH = 1024 * 1024;
const MAX_ANSWER_BYTES = 512 * 1024;
/** What an answer takes beside its bytes, about. */
const ENTRY_BYTES = 1024;

/** An answer of 200 as it goes out, but for what is said of rate limits. */
type CachedAnswer = {
  bytes: Uint8Array;
  etag: string;
  cost: number;
  /** Names and values by turns, without those of content and limits. */
  headers: readonly string[];
  type: string;
  route: string;
};

type Entry = CachedAnswer & {
  /** By `performance.now()`, and by the board's clock. */
  madeAt: number;
  clockAt: number;
  until: number;
  /** Since it was last among the oldest. */
  read: boolean;
};

/** An answer that is being made, for those who ask for the same meanwhile. */
type Making = {
  revision: number;
  madeAt: number;
  followers: number;
  /** Null where it became no answer that others may have. */
  answer: Promise<CachedAnswer | null>;
};

const weightOf = ({ bytes }: Entry) => bytes.length + ENTRY_BYTES;

/**
 * Finished answers by address. They hold while nothing was committed that
 * public reads show (`boardRevision`), each until its next poll deadline or UTC
 * midnight. Notifications report the commits of other processes; an answer is
 * given only while less than a second has passed since all of them were known
 * (`freshness`), or since it was made.
 */
export class ResponseCache {
  private readonly entries = new Map<string, Entry>();
  private readonly asked = new LRUCache<string, true>({
    max: MAX_ASKED,
    maxSize: MAX_ASKED_LENGTH,
    sizeCalculation: (_, url) => url.length,
  });
  private readonly making = new Map<string, Making>();
  private bytes = 0;
  /** That of all entries. */
  private revision = 0;

  constructor(
    private readonly clock: Clock,
    private readonly freshness: Freshness,
  ) {}

  /** The answer of an address, if it is one that may still be given. */
  find(url: string): CachedAnswer | null {
    const entry = this.entries.get(url);
    if (entry === undefined || this.revision !== boardRevision()) return null;
    const { freshness } = this;
    const knownUntil = Math.max(entry.madeAt, freshness.knownUntil);
    const age = performance.now() - knownUntil;
    if (age > ASK_MS) freshness.ask();
    const now = this.clock.now();
    const isGood = age < KEPT_MS && now >= entry.clockAt && now < entry.until;
    if (!isGood) return null;
    entry.read = true;
    return entry;
  }

  /**
   * Takes the answer that `res` is going to have, for an address that was asked
   * for before. Most are asked for once: to cache those costs more than it saves.
   */
  offer(url: string, res: Response): void {
    const wasAsked = this.asked.has(url);
    this.asked.set(url, true);
    // Read before the database is: a commit in between counts as later.
    const revision = boardRevision();
    const madeAt = performance.now();
    const clockAt = this.clock.now();
    let end: (answer: CachedAnswer | null) => void = () => {};
    const answer = new Promise<CachedAnswer | null>((resolve) => {
      end = resolve;
    });
    const making: Making = { revision, madeAt, followers: 0, answer };
    this.making.set(url, making);
    const over = (made: CachedAnswer | null) => {
      if (this.making.get(url) === making) this.making.delete(url);
      end(made);
    };
    res.once('close', () => over(null));
    requestState(res.req).cacheAnswer = ({ until, ...finished }) => {
      const headers = headersOf(res);
      const { route } = routePattern(res.req);
      over({ ...finished, headers, route });
      if (!wasAsked && making.followers === 0) return;
      const { length } = finished.bytes;
      if (length > MAX_ANSWER_BYTES || !this.isOf(revision)) return;
      const midnight = utcDayStart(clockAt) + DAY_MS;
      this.put(url, {
        ...finished,
        ...{ headers, route, madeAt, clockAt, read: false },
        until: Math.min(midnight, until ?? midnight),
      });
    };
  }

  /** The answer that is being made for the same address, if it will be new. */
  follow(url: string): Making['answer'] | null {
    const making = this.making.get(url);
    if (making?.revision !== boardRevision()) return null;
    if (performance.now() - making.madeAt >= KEPT_MS) return null;
    making.followers += 1;
    return making.answer;
  }

  /** Whether it is the newest revision; entries of others go. */
  private isOf(revision: number): boolean {
    const newest = boardRevision();
    if (this.revision !== newest) {
      this.clear();
      this.revision = newest;
    }
    return revision === newest;
  }

  /** Forgets all answers; they are made again when somebody asks. */
  clear(): void {
    this.entries.clear();
    this.bytes = 0;
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

/** `@types/node` declares it for requests only. */
type AsSet = { getRawHeaderNames(): string[] };

/** Names are written as they were set. */
function headersOf(res: ServerResponse): string[] {
  return (res as ServerResponse & AsSet)
    .getRawHeaderNames()
    .flatMap((name) =>
      OF_THE_REQUEST.test(name) ? [] : [name, String(res.getHeader(name))],
    );
}

const PAGES = '/t/';

/**
 * The address, and for a page the form and the packing that its client takes.
 * What is added begins with a blank, which no address contains.
 */
function cacheKey(req: IncomingMessage, url: string): string {
  if (!url.startsWith(PAGES)) return url;
  return `${url} ${acceptedByName(req)} ${takesGzip(req)}`;
}

/** Caches what a read answers, when its route says that anybody may have it. */
export function offerToCache(cache: ResponseCache): RequestHandler {
  return (req, res, next) => {
    cache.offer(cacheKey(req, req.originalUrl), res);
    next();
  };
}

type Parts = {
  early: EarlyReads;
  cache: ResponseCache;
  /** Takes what begins with `path`; hands on to the app by itself. */
  longPolls: { path: string; take: RequestListener };
};

/**
 * What is answered before Express is entered (`FAST_PATHS`): long polls, and
 * cached answers. Every request that is not a plain read of one goes on to
 * `app`, and every error. Headers are those of the app (spec/board.md §1.7).
 */
export function fastPaths(
  app: RequestListener,
  { early, cache, longPolls }: Parts,
): RequestListener {
  return (req, res) => {
    if (req.url?.startsWith(longPolls.path)) longPolls.take(req, res);
    else if (!serve(app, req, res, early, cache)) app(req, res);
  };
}

/** Those who ask for one address together get one answer, made once. */
function serve(
  app: RequestListener,
  req: IncomingMessage,
  res: ServerResponse,
  early: EarlyReads,
  cache: ResponseCache,
): boolean {
  const { method, url = '' } = req;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const key = cacheKey(req, url);
  const answer = cache.find(key);
  if (answer !== null) return give(req, res, early, answer);
  const making = early.isPlain(req) ? cache.follow(key) : null;
  void making?.then((made) => {
    if (res.destroyed) return;
    if (made === null || !give(req, res, early, made)) app(req, res);
  });
  return making !== null;
}

function give(
  req: IncomingMessage,
  res: ServerResponse,
  early: EarlyReads,
  answer: CachedAnswer,
): boolean {
  if (!early.isPlain(req)) return false;
  const read = early.take(req, res, answer.route);
  if (read === null) return false;
  const { cost, etag } = answer;
  const known = req.headers['if-none-match'];
  const isKnown = known !== undefined && matchesEtag(known, etag);
  const isWhole = req.method === 'GET' && !isKnown && cost > 1;
  const left = isWhole ? early.takeMore(read, cost - 1) : read.left;
  send(req, res, answer, readsLeft(left), isKnown);
  return true;
}

function send(
  { method }: IncomingMessage,
  res: ServerResponse,
  answer: CachedAnswer,
  left: string,
  isKnown: boolean,
): void {
  const { bytes, type } = answer;
  if (isKnown) {
    res.writeHead(304, [...answer.headers, 'RateLimit', left]);
    res.end();
    return;
  }
  res.writeHead(200, [
    ...answer.headers,
    'RateLimit',
    left,
    'Content-Type',
    type,
    'Content-Length',
    String(bytes.length),
  ]);
  if (method === 'HEAD') res.end();
  else res.end(bytes);
}
