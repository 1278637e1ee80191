import {
  type FeedPage,
  type FeedRefusal,
  type VerifiedPage,
  verifyFeedPage,
} from '../../protocol/feed-page.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import { Chains } from './known-chains.js';
import { Leftovers } from './leftovers.js';
import type { MirrorLog } from './mirror-log.js';
import { noteLevel } from './note-level.js';
import { PageReader } from './page-reader.js';
import type { PullParts } from './pull-parts.js';
import { keepingOf, originSource, type PullPeer } from './pull-peer-row.js';
import { PagePreparer, type ReadyPage } from './ready-page.js';
import { rest } from './rest.js';
import { quotaEnded, roundFailed } from './round-failed.js';
import {
  type DurablePage,
  type Fork,
  forkOf,
  type PullSource,
} from './seams.js';
import { takePage } from './take-page.js';

const WAIT_MS = 25_000;
/** An origin unheard for so long is also looked for at its mirrors. */
const DEAD_MS = 60_000;
/** Between rounds in which no mirror of a dead origin answered well. */
const MIRRORS_MS = 30_000;
/** After a fault of this node itself, such as a database that is away. */
const OWN_FAULT_MS = 1000;
/** Between empty pages of a peer that does not wait as it was asked to. */
const HASTY_MS = 1000;

type Outcome = 'grown' | 'level' | 'failed';
/** Where a round asks, and for how many ms it may wait there. */
type Round = { source: PullSource; fromOrigin: boolean; waitMs: number };

/**
 * The worker of one peer: the loop of mesh.md B7 until it is stopped or the
 * peer is not active any more. All of its state is in the store; what it
 * holds in memory is a copy that any fault throws away.
 */
export class PullPeerWorker {
  private log: MirrorLog | null = null;
  private chains = new Chains();
  private readonly reader: PageReader;
  private readonly leftovers: Leftovers;
  private limit = FEED_ENTRIES;
  /** At the signed head: the next page may wait for more. */
  private level = false;
  private mismatches = 0;

  constructor(
    private readonly parts: PullParts,
    private readonly originId: number,
    private readonly signal: AbortSignal,
  ) {
    const preparer = new PagePreparer(parts, originId);
    this.reader = new PageReader(parts.client, preparer, signal);
    this.leftovers = new Leftovers(parts, originId, signal);
  }

  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        const peer = await this.parts.store.peer(this.originId);
        if (peer === null || peer.status !== 'active') break;
        this.log ??= await this.parts.store.log(this.originId);
        if (this.log === null) break;
        await this.turn(peer);
      } catch (error) {
        const { originId } = this;
        this.parts.log.warn({ err: error, originId }, 'a page was not stored');
        this.forget();
        await this.rest(OWN_FAULT_MS);
      }
    }
    await this.leftovers.end();
    await this.reader.end();
  }

  private async turn(peer: PullPeer): Promise<void> {
    const { store, clock } = this.parts;
    await store.keepTexts(peer, clock.now());
    const pause = (peer.retry_at ?? 0) - clock.now();
    if (pause > 0) {
      if (!(await this.roundAtMirrors(peer, pause))) await this.rest(pause);
      return;
    }
    const source = originSource(peer);
    await this.round(peer, { source, fromOrigin: true, waitMs: WAIT_MS });
  }

  /** A dead origin's log goes on at its mirrors until it is tried again. */
  private async roundAtMirrors(
    peer: PullPeer,
    pause: number,
  ): Promise<boolean> {
    const { store, clock } = this.parts;
    const heard = peer.last_success_at ?? peer.confirmed_at ?? 0;
    const alive = clock.now() - heard < DEAD_MS;
    if (alive || peer.last_error_code === 'quota') return false;
    const sources = await store.mirrors(this.originId, peer.origin);
    for (const source of sources) {
      const round = { source, fromOrigin: false, waitMs: pause };
      if ((await this.round(peer, round)) !== 'failed') return true;
      if (this.signal.aborted) return true;
    }
    if (sources.length > 0) await this.rest(Math.min(pause, MIRRORS_MS));
    return sources.length > 0;
  }

  private async round(peer: PullPeer, round: Round): Promise<Outcome> {
    const { log, reader } = this;
    if (log === null) return 'failed';
    const { limit, level } = this;
    const from = log.frontier.size;
    const content = keepingOf(peer).asked;
    const waitMs = level ? await this.patience(round.waitMs) : 0;
    const wait = Math.ceil(waitMs / 1000);
    const wish = { from, limit, content, wait };
    const asked = performance.now();
    const fetched = await reader.next(round.source, log.logVkey, wish);
    if (this.signal.aborted) return 'failed';
    if (!fetched.ok) return await this.failed(peer, fetched.reason, round);
    const { page } = fetched.value;
    const verified = verifyFeedPage(page, log.frontier, log.logVkey);
    if (!verified.ok) {
      return await this.refused(peer, page, verified.reason, round);
    }
    this.mismatches = 0;
    if (page.entries.length > 0) {
      return await this.take(peer, fetched.value, verified.value, round);
    }
    await this.isLevel(peer, verified.value, round);
    const hasty = performance.now() - asked < HASTY_MS / 2;
    if (wish.wait > 0 && hasty) await this.rest(HASTY_MS);
    return 'level';
  }

  /** How long a page may wait: not beyond the next missing content. */
  private async patience(waitMs: number): Promise<number> {
    const { store, clock } = this.parts;
    const due = await store.contentDue(this.originId);
    const left = due === null ? WAIT_MS : Math.max(0, due - clock.now());
    return Math.min(WAIT_MS, waitMs, left);
  }

  private async take(
    peer: PullPeer,
    ready: ReadyPage,
    verified: VerifiedPage,
    { source, fromOrigin }: Round,
  ): Promise<Outcome> {
    const { parts, log, chains, level: live } = this;
    if (log === null) return 'failed';
    const { to } = ready.page;
    if (to < verified.checkpoint.size) {
      const content = keepingOf(peer).asked;
      const wish = { from: to, limit: FEED_ENTRIES, content, wait: 0 };
      this.reader.fetchAhead(source, log.logVkey, wish);
    }
    const turn = { peer, log, chains, fromOrigin, live };
    const taken = await takePage(parts, turn, ready, verified);
    if ('room' in taken) return await this.quotaEnds(peer, taken.room);
    if (!taken.indexed) this.leftovers.noteLate(log.lastMessageId);
    this.limit = FEED_ENTRIES;
    this.log = taken.log;
    this.level = taken.durable !== null;
    parts.events.emit('mirror');
    if (taken.durable !== null) this.followUp(taken.durable);
    for (const note of taken.identities) {
      await parts.seams.onIdentity(this.originId, note);
    }
    if (this.level) await this.leftovers.workOff(peer, source);
    return 'grown';
  }

  /** Nothing new: heard, and time for what was left behind. */
  private async isLevel(
    peer: PullPeer,
    verified: VerifiedPage,
    { source, fromOrigin }: Round,
  ): Promise<void> {
    const { log, level } = this;
    if (log === null) return;
    const durable = await noteLevel(this.parts, log, verified, fromOrigin);
    this.level = true;
    // After a start it is not known whether the last cosignature arrived.
    if (!level && durable !== null) this.followUp(durable);
    await this.leftovers.workOff(peer, source);
  }

  private async refused(
    peer: PullPeer,
    page: FeedPage,
    reason: FeedRefusal,
    round: Round,
  ): Promise<Outcome> {
    const isFork = reason === 'equivocation' || reason === 'root_mismatch';
    if (!isFork) return await this.failed(peer, reason, round);
    this.mismatches += 1;
    this.reader.drop();
    this.level = false;
    if (this.mismatches < 2) return 'grown'; // the same page once more
    this.mismatches = 0;
    // A mirror may be wrong by itself; a head that the origin signed is not.
    if (round.fromOrigin || reason === 'equivocation') {
      await this.reportFork(page, reason, round.source);
    }
    const code = reason === 'root_mismatch' ? 'feed_corrupt' : reason;
    return await this.failed(peer, code, round);
  }

  private async reportFork(
    { checkpoint }: FeedPage,
    kind: Fork['kind'],
    source: PullSource,
  ): Promise<void> {
    const { log } = this;
    if (log === null) return;
    await this.parts.seams.onFork(forkOf(log, kind, source, checkpoint));
  }

  private async quotaEnds(peer: PullPeer, room: number): Promise<Outcome> {
    this.reader.drop();
    this.level = false;
    this.limit = Math.max(1, room);
    if (room > 0) return 'grown'; // the part that fits, first
    await quotaEnded(this.parts, peer);
    return 'failed';
  }

  /** A mirror's fault is not the origin's: another one is asked instead. */
  private async failed(
    peer: PullPeer,
    code: string,
    { fromOrigin }: Round,
  ): Promise<Outcome> {
    this.reader.drop();
    this.level = false;
    if (fromOrigin) await roundFailed(this.parts, peer, code);
    return 'failed';
  }

  /** Not awaited: a cosignature that travels slowly holds up no page. */
  private followUp(page: DurablePage): void {
    const { seams, log } = this.parts;
    seams.afterPage(page).catch((error: unknown) => {
      log.warn({ err: error }, 'a durable page was not followed up');
    });
  }

  private async rest(ms: number): Promise<void> {
    await rest(ms, this.parts.events, this.signal);
  }

  private forget(): void {
    this.log = null;
    this.chains = new Chains();
    this.reader.drop();
    this.level = false;
  }
}
