import { type VerifiedPage, verifyFeedPage } from '../../protocol/feed-page.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import type { PageWish } from './fetch/fetch-page.js';
import { PageReader } from './fetch/page-reader.js';
import {
  type DurablePage,
  durableOf,
  type Fork,
  type Outcome,
  type PullParts,
  type Round,
} from './hooks.js';
import { quotaEnded, roundFailed } from './round-failed.js';
import { sleep } from './sleep.js';
import type { MirrorLog } from './store/mirror-log.js';
import { keepingOf, type PullPeer } from './store/peer-rows.js';
import { KnownChains, noteLevel, takePage } from './take-page.js';
import { PagePreparer, type ReadyPage } from './verify/prepare-page.js';

/** Between checks of rotations that had to wait. */
const KEYS_MS = 3_600_000;

/** Missing contents, texts to index, rotations that had to wait. */
class DeferredWork {
  /** Texts of higher ids may not be indexed; null: all are. */
  private late: number | null = 0;
  private indexing: Promise<void> | null = null;
  private keysDue = 0;

  constructor(
    private readonly parts: PullParts,
    private readonly originId: number,
    private readonly signal: AbortSignal,
  ) {}

  /** From a page that was not indexed at once. */
  noteLate(lastMessageId: number): void {
    this.late = Math.min(this.late ?? lastMessageId, lastMessageId);
  }

  /** At the end of the log. */
  async run({ peer, source }: Round): Promise<void> {
    const { store, events } = this.parts;
    const { keeps, asked } = keepingOf(peer);
    if (keeps) this.index();
    await this.adoptWaiting();
    if (asked === 'none') return;
    const log = { originId: this.originId, origin: peer.origin, source, keeps };
    if (await store.fetchMissing(log, this.signal)) events.emit('mirror');
  }

  private async adoptWaiting(): Promise<void> {
    const { store, clock, log } = this.parts;
    const now = clock.now();
    if (now < this.keysDue) return;
    this.keysDue = now + KEYS_MS;
    const { originId } = this;
    const waiting = await store.adoptWaiting(originId);
    if (waiting > 0) log.info({ originId, waiting }, 'rotations of keys wait');
  }

  async end(): Promise<void> {
    await this.indexing;
  }

  /** Not awaited: texts are readable before they can be found. */
  private index(): void {
    const from = this.late;
    if (from === null || this.indexing !== null) return;
    this.late = null;
    const { store, log } = this.parts;
    this.indexing = store
      .index(this.originId, from, this.signal)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'mirrored texts were not indexed');
        this.noteLate(from);
      })
      .finally(() => {
        this.indexing = null;
      });
  }
}

/** In ms. */
export const WAIT_MS = 25_000;
/** Between empty pages of a peer that does not wait. */
const HASTY_MS = 1000;

function wishOf(
  { logVkey }: MirrorLog,
  { peer, source }: Round,
  part: Pick<PageWish, 'from' | 'limit' | 'wait'>,
): PageWish {
  return { ...part, source, logVkey, content: keepingOf(peer).asked };
}

/** spec/mesh.md §B7. State is in the store; copies go with a fault. */
export class PullLog {
  private log: MirrorLog | null = null;
  private chains = new KnownChains();
  private readonly reader: PageReader;
  private readonly deferred: DeferredWork;
  private limit = FEED_ENTRIES;
  /** At the signed head: the next page may wait. */
  private level = false;
  /** The last page did not continue ours. */
  private forked = false;

  constructor(
    private readonly parts: PullParts,
    private readonly originId: number,
    private readonly signal: AbortSignal,
  ) {
    const preparer = new PagePreparer(parts, originId);
    this.reader = new PageReader(parts.client, preparer, signal);
    this.deferred = new DeferredWork(parts, originId, signal);
  }

  async open(): Promise<boolean> {
    this.log ??= await this.parts.store.log(this.originId);
    return this.log !== null;
  }

  /** One page, or none. */
  async round(round: Round): Promise<Outcome> {
    const { log, limit, level } = this;
    if (log === null) return 'failed';
    const waitMs = level ? await this.waitAtMost(round.waitMs) : 0;
    const wait = Math.ceil(waitMs / 1000);
    const wish = wishOf(log, round, { from: log.frontier.size, limit, wait });
    const asked = performance.now();
    const fetched = await this.reader.next(wish, round.signal);
    if (this.signal.aborted) return 'failed';
    if (!fetched.ok && fetched.reason === 'no_json') {
      return await this.gaveUp('feed_corrupt', round);
    }
    if (!fetched.ok) {
      const code = fetched.reason === 'stopped' ? 'timeout' : fetched.reason;
      return await this.failed(code, round);
    }
    const { page } = fetched.value;
    const verified = verifyFeedPage(page, log.frontier, log.logVkey);
    if (!verified.ok) {
      const { reason: kind } = verified;
      if (kind !== 'equivocation' && kind !== 'root_mismatch') {
        return await this.failed(kind, round);
      }
      const { source } = round;
      const fork = { ...durableOf(log, page.checkpoint), source, kind };
      return await this.meetFork(fork, round);
    }
    this.forked = false;
    if (page.entries.length > 0) {
      return await this.take(log, fetched.value, verified.value, round);
    }
    await this.noteLevel(log, verified.value, round);
    const hasty = performance.now() - asked < HASTY_MS / 2;
    if (wait > 0 && hasty) {
      const change = this.parts.events.subscribe('peers');
      await sleep(this.parts.clock, HASTY_MS, change, this.signal);
    }
    return 'level';
  }

  forget(): void {
    this.log = null;
    this.chains = new KnownChains();
    this.dropAhead();
  }

  async end(): Promise<void> {
    await this.deferred.end();
    await this.reader.end();
  }

  /** Until the next missing content is due. */
  private async waitAtMost(waitMs: number): Promise<number> {
    const { store, clock } = this.parts;
    const due = await store.contentDue(this.originId);
    const left = due === null ? WAIT_MS : Math.max(0, due - clock.now());
    return Math.min(WAIT_MS, waitMs, left);
  }

  private async take(
    log: MirrorLog,
    ready: ReadyPage,
    verified: VerifiedPage,
    round: Round,
  ): Promise<Outcome> {
    const { parts, chains, level: live } = this;
    const { peer, fromOrigin } = round;
    const { to: from } = ready.page;
    if (from < verified.checkpoint.size) {
      const next = { from, limit: FEED_ENTRIES, wait: 0 };
      this.reader.fetchAhead(wishOf(log, round, next));
    }
    const pulled = { peer, log, chains, fromOrigin, live };
    const taken = await takePage(parts, pulled, ready, verified);
    if ('room' in taken) return await this.quotaEnds(peer, taken.room);
    if (!taken.indexed) this.deferred.noteLate(log.lastMessageId);
    this.limit = FEED_ENTRIES;
    this.log = taken.log;
    this.level = taken.durable !== null;
    parts.events.emit('mirror');
    if (taken.durable !== null) this.afterPage(taken.durable);
    for (const note of taken.identities) {
      await parts.hooks.onIdentity(this.originId, note);
    }
    if (this.level) await this.deferred.run(round);
    return 'grown';
  }

  /** Time for deferred work. */
  private async noteLevel(
    log: MirrorLog,
    verified: VerifiedPage,
    round: Round,
  ): Promise<void> {
    const { level, parts } = this;
    const durable = await noteLevel(parts, log, verified, round.fromOrigin);
    this.level = true;
    // After a start, the last cosignature may not have arrived.
    if (!level && durable !== null) this.afterPage(durable);
    await this.deferred.run(round);
  }

  private async quotaEnds(peer: PullPeer, room: number): Promise<Outcome> {
    this.dropAhead();
    this.limit = Math.max(1, room);
    if (room > 0) return 'grown'; // the part that fits, first
    await quotaEnded(this.parts, peer);
    return 'failed';
  }

  /** Counts when fetched twice (spec/mesh.md §B8). */
  private async meetFork(fork: Fork, round: Round): Promise<Outcome> {
    this.dropAhead();
    this.forked = !this.forked;
    if (this.forked) return 'grown'; // to fetch it again
    const { kind } = fork;
    // A mirror may be wrong; the origin's signed head is not.
    const isSaid = round.fromOrigin || kind === 'equivocation';
    const code = isSaid ? await this.parts.hooks.onFork(fork) : 'feed_corrupt';
    return await this.gaveUp(code, round);
  }

  /**
   * No page, or a corrupt one (§B7, steps 1 to 3), which degrades the peer for
   * a day or until `peer resume` (§B8).
   */
  private async failed(code: string, round: Round): Promise<Outcome> {
    if (code === 'feed_corrupt' && round.fromOrigin) {
      const { store, clock } = this.parts;
      await store.degrade(this.originId, 'feed_corrupt', clock.now());
    }
    return await this.gaveUp(code, round);
  }

  /** Another mirror is tried: the fault is not the origin's. */
  private async gaveUp(code: string, round: Round): Promise<Outcome> {
    this.dropAhead();
    if (round.fromOrigin) await roundFailed(this.parts, round.peer, code);
    return 'failed';
  }

  private dropAhead(): void {
    this.reader.drop();
    this.level = false;
  }

  /** Not awaited: a slow cosignature delays no page. */
  private afterPage(page: DurablePage): void {
    const { hooks, log } = this.parts;
    hooks.afterPage(page).catch((error: unknown) => {
      log.warn({ err: error }, 'a durable page was not followed up');
    });
  }
}
