import { type VerifiedPage, verifyFeedPage } from '../../protocol/feed-page.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import { Leftovers } from './deferred-work.js';
import { PageReader } from './fetch/page-reader.js';
import { PagePreparer, type ReadyPage } from './fetch/ready-page.js';
import type { DurablePage } from './hooks.js';
import type { MirrorLog } from './mirror-log.js';
import type { PullParts } from './pull-parts.js';
import type { Outcome, Round } from './round.js';
import { pageCorrupt, quotaEnded, roundFailed } from './round-failed.js';
import { rest } from './sleep.js';
import { keepingOf, type PullPeer } from './store/pull-peer-row.js';
import { takePage } from './take-page.js';
import { Forks, isFork } from './verify/forks.js';
import { Chains } from './verify/known-chains.js';
import { noteLevel } from './verify/note-level.js';

/** The longest that a page may be waited for, in ms. */
export const WAIT_MS = 25_000;
/** Between empty pages of a peer that does not wait as it was asked to. */
const HASTY_MS = 1000;

/**
 * One peer's log as it is pulled, page by page (spec/mesh.md §B7). All of its
 * state is in the store; what is held here is a copy that any fault throws
 * away.
 */
export class PullLog {
  private log: MirrorLog | null = null;
  private chains = new Chains();
  private readonly reader: PageReader;
  private readonly leftovers: Leftovers;
  private readonly forks: Forks;
  private limit = FEED_ENTRIES;
  /** At the signed head: the next page may wait for more. */
  private level = false;

  constructor(
    private readonly parts: PullParts,
    private readonly originId: number,
    private readonly signal: AbortSignal,
  ) {
    const preparer = new PagePreparer(parts, originId);
    this.reader = new PageReader(parts.client, preparer, signal);
    this.leftovers = new Leftovers(parts, originId, signal);
    this.forks = new Forks(parts.seams);
  }

  /** Whether there is a log to pull into. */
  async open(): Promise<boolean> {
    this.log ??= await this.parts.store.log(this.originId);
    return this.log !== null;
  }

  /** Fetches, verifies and stores one page, or learns that there is none. */
  async round(peer: PullPeer, round: Round): Promise<Outcome> {
    const { log, reader, limit, level } = this;
    if (log === null) return 'failed';
    const from = log.frontier.size;
    const content = keepingOf(peer).asked;
    const waitMs = level ? await this.patience(round.waitMs) : 0;
    const wish = { from, limit, content, wait: Math.ceil(waitMs / 1000) };
    const asked = performance.now();
    const { source, signal } = round;
    const fetched = await reader.next(source, log.logVkey, wish, signal);
    if (this.signal.aborted) return 'failed';
    if (!fetched.ok) {
      const code = fetched.reason === 'stopped' ? 'timeout' : fetched.reason;
      return await this.failed(peer, code, round);
    }
    const { page } = fetched.value;
    const verified = verifyFeedPage(page, log.frontier, log.logVkey);
    if (!verified.ok) {
      const { reason } = verified;
      if (!isFork(reason)) return await this.failed(peer, reason, round);
      this.dropAhead();
      const code = await this.forks.meet(log, page, reason, round);
      return code === null ? 'grown' : await this.gaveUp(peer, code, round);
    }
    this.forks.none();
    if (page.entries.length > 0) {
      return await this.take(peer, log, fetched.value, verified.value, round);
    }
    await this.isLevel(peer, log, verified.value, round);
    const hasty = performance.now() - asked < HASTY_MS / 2;
    if (wish.wait > 0 && hasty) {
      const change = this.parts.events.subscribe('peers');
      await rest(this.parts.clock, HASTY_MS, change, this.signal);
    }
    return 'level';
  }

  forget(): void {
    this.log = null;
    this.chains = new Chains();
    this.dropAhead();
  }

  async end(): Promise<void> {
    await this.leftovers.end();
    await this.reader.end();
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
    log: MirrorLog,
    ready: ReadyPage,
    verified: VerifiedPage,
    { source, fromOrigin }: Round,
  ): Promise<Outcome> {
    const { parts, chains, level: live } = this;
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
    log: MirrorLog,
    verified: VerifiedPage,
    { source, fromOrigin }: Round,
  ): Promise<void> {
    const { level } = this;
    const durable = await noteLevel(this.parts, log, verified, fromOrigin);
    this.level = true;
    // After a start it is not known whether the last cosignature arrived.
    if (!level && durable !== null) this.followUp(durable);
    await this.leftovers.workOff(peer, source);
  }

  private async quotaEnds(peer: PullPeer, room: number): Promise<Outcome> {
    this.dropAhead();
    this.limit = Math.max(1, room);
    if (room > 0) return 'grown'; // the part that fits, first
    await quotaEnded(this.parts, peer);
    return 'failed';
  }

  /** No page came, or one that is wrong in itself (B7, steps 1 to 3). */
  private async failed(
    peer: PullPeer,
    code: string,
    round: Round,
  ): Promise<Outcome> {
    if (code === 'feed_corrupt' && round.fromOrigin) {
      await pageCorrupt(this.parts, peer);
    }
    return await this.gaveUp(peer, code, round);
  }

  /** A mirror's fault is not the origin's: another one is asked instead. */
  private async gaveUp(
    peer: PullPeer,
    code: string,
    { fromOrigin }: Round,
  ): Promise<Outcome> {
    this.dropAhead();
    if (fromOrigin) await roundFailed(this.parts, peer, code);
    return 'failed';
  }

  private dropAhead(): void {
    this.reader.drop();
    this.level = false;
  }

  /** Not awaited: a cosignature that travels slowly holds up no page. */
  private followUp(page: DurablePage): void {
    const { seams, log } = this.parts;
    seams.afterPage(page).catch((error: unknown) => {
      log.warn({ err: error }, 'a durable page was not followed up');
    });
  }
}
