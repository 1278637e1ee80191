import type {
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type Clock, DAY_MS, utcDayStart } from '../../clock.js';
import {
  boardRevision,
  type Freshness,
  isCurrent,
} from '../../db/notifications.js';
import { acceptedByName, takesGzip } from '../accept.js';
import { isUnnamed, requestNetwork } from '../network.js';
import type { Left } from '../rate-limits/policies.js';
import { type ReadLimits, readsLeft } from '../rate-limits/read-limiter.js';
import { requestState, routePattern } from '../request-state.js';
import { matchesEtag } from '../send.js';

/** Others' commits show after so long without a hint. */
const KEPT_MS = 1000;
/** Then it asks whether all hints have come. */
const ASK_MS = 300;
const MAX_BYTES = 32 * 1024 * 1024;
/** Addresses seen, and their characters. */
const MAX_ASKED = 10_000;
const MAX_ASKED_LENGTH = 1024 * 1024;
const MAX_ANSWER_BYTES = 512 * 1024;
/** Without the bytes, roughly. */
const ENTRY_BYTES = 1024;

/** Without rate limit headers. */
type CachedAnswer = {
  bytes: Uint8Array;
  etag: string;
  cost: number;
  /** Alternating names and values, without those of content and limits. */
  headers: readonly string[];
  type: string;
  route: string;
};

type Entry = CachedAnswer & {
  revision: number;
  thread: number | null;
  /** By `performance.now()`, and by the board's clock. */
  madeAt: number;
  clockAt: number;
  until: number;
  /** Since it was last among the oldest. */
  read: boolean;
};

/** Shared by simultaneous requests. */
type Making = {
  revision: number;
  madeAt: number;
  followers: number;
  /** Null: nothing to share. */
  answer: Promise<CachedAnswer | null>;
};

const weightOf = ({ bytes }: Entry) => bytes.length + ENTRY_BYTES;

/**
 * By address; valid while its `boardRevision` is current, until the next poll deadline or UTC
 * midnight, and while all commits of other processes were known less than a
 * second ago (`freshness`).
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

  constructor(
    private readonly clock: Clock,
    private readonly freshness: Freshness,
  ) {}

  /** Null unless valid. */
  find(url: string): CachedAnswer | null {
    const entry = this.entries.get(url);
    if (entry === undefined) return null;
    if (!isCurrent(entry.revision, entry.thread)) {
      this.drop(url, entry);
      return null;
    }
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

  /** Only from the second request on: most addresses are asked for once. */
  offer(url: string, res: Response): void {
    const wasAsked = this.asked.has(url);
    this.asked.set(url, true);
    // Before the database is read: a commit in between counts as later.
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
    // Once the whole answer is handed to Node, however slowly it is taken.
    res.once('prefinish', () => {
      const { answer: whole } = requestState(res.req);
      if (whole === null) return;
      const { until, thread, ...finished } = whole;
      const headers = headersOf(res);
      const { route } = routePattern(res.req);
      over({ ...finished, headers, route });
      if (!wasAsked && making.followers === 0) return;
      const { length } = finished.bytes;
      if (length > MAX_ANSWER_BYTES || !isCurrent(revision, thread)) return;
      const midnight = utcDayStart(clockAt) + DAY_MS;
      this.put(url, {
        ...finished,
        headers,
        route,
        revision,
        thread,
        madeAt,
        clockAt,
        read: false,
        until: Math.min(midnight, until ?? midnight),
      });
    });
  }

  /** An answer in the making, if it will be new. */
  follow(url: string): Making['answer'] | null {
    const making = this.making.get(url);
    if (making?.revision !== boardRevision()) return null;
    if (performance.now() - making.madeAt >= KEPT_MS) return null;
    making.followers += 1;
    return making.answer;
  }

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

  /** Oldest first; one that was read since stays once. */
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

/** In their original spelling. */
function headersOf(res: ServerResponse): string[] {
  return (res as ServerResponse & AsSet)
    .getRawHeaderNames()
    .flatMap((name) =>
      OF_THE_REQUEST.test(name) ? [] : [name, String(res.getHeader(name))],
    );
}

const PAGES = '/t/';

/** With a page's form and encoding, after a blank, which addresses lack. */
function cacheKey(req: IncomingMessage, url: string): string {
  if (!url.startsWith(PAGES)) return url;
  return `${url} ${acceptedByName(req)} ${takesGzip(req)}`;
}

const isRead = ({ method }: IncomingMessage) =>
  method === 'GET' || method === 'HEAD';

/** For routes whose answer is the same for everybody. */
export function offerToCache(cache: ResponseCache): RequestHandler {
  return (req, res, next) => {
    // A tool's links are its own.
    const isShared = isRead(req) && requestState(req).callOf === null;
    if (isShared) cache.offer(cacheKey(req, req.originalUrl), res);
    next();
  };
}

/** The app's own limits and counters. */
type Parts = Omit<ReadLimits, 'limits'> & {
  readonly stopping: AbortSignal;
  /** After the answer, as the app counts. */
  record: (req: IncomingMessage, network: Uint8Array) => void;
  /** Null without metrics. */
  time:
    | null
    | ((
        ...read: [
          method: string,
          route: string,
          res: ServerResponse,
          began: number,
        ]
      ) => void);
};

/**
 * Before Express (`FAST_PATHS`): cached answers; simultaneous requests share
 * one. Other requests and errors go to `app`. Equal headers (spec/board.md
 * §1.7).
 */
export function fastPaths(
  app: RequestListener,
  cache: ResponseCache,
  parts: Parts,
): RequestListener {
  return (req, res) => {
    if (!isRead(req)) return app(req, res);
    const key = cacheKey(req, req.url ?? '');
    const answer = cache.find(key);
    if (answer !== null) {
      if (!give(req, res, parts, answer)) app(req, res);
      return;
    }
    const making = hasBody(req) ? null : cache.follow(key);
    if (making === null) return app(req, res);
    void making.then((made) => {
      if (res.destroyed) return;
      if (made === null || !give(req, res, parts, made)) app(req, res);
    });
  };
}

const hasBody = ({ headers }: IncomingMessage) =>
  'content-length' in headers || 'transfer-encoding' in headers;

const READS = 'reads_per_network_minute';

/** False: the app has to answer, perhaps with an error. */
function give(
  req: IncomingMessage,
  res: ServerResponse,
  { readLimiter, trustedProxies, stopping, record, time }: Parts,
  answer: CachedAnswer,
): boolean {
  if (stopping.aborted || hasBody(req) || isUnnamed(req, trustedProxies)) {
    return false;
  }
  const began = time === null ? 0 : performance.now();
  let network: Uint8Array;
  let left: Left;
  try {
    network = requestNetwork(req, trustedProxies);
    left = readLimiter.take(READS, network);
  } catch {
    return false;
  }
  const { cost, etag, route } = answer;
  res.on('close', () => {
    record(req, network);
    time?.(req.method ?? '', route, res, began);
  });
  const known = req.headers['if-none-match'];
  const isKnown = known !== undefined && matchesEtag(known, etag);
  if (req.method === 'GET' && !isKnown && cost > 1) {
    readLimiter.add(READS, network, cost - 1);
    left.remaining -= cost - 1; // shown as 0 at least
  }
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
