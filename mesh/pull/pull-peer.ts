import type { Subscription } from '../../server/db/events.js';
import { FAILED_MS, MirrorTurns } from './mirror-turns.js';
import { PullLog, WAIT_MS } from './pull-log.js';
import type { PullParts } from './pull-parts.js';
import type { Outcome, Round } from './round.js';
import { rest } from './sleep.js';
import { originSource, type PullPeer } from './store/pull-peer-row.js';
import { PeerStopped } from './store/while-active.js';

/** An origin unheard for so long is also looked for at its mirrors. */
const DEAD_MS = 60_000;
/** For how long a question to a dead origin may keep them waiting. */
const GRACE_MS = 10_000;
/** After a fault of this node itself, such as a database that is away. */
const OWN_FAULT_MS = 1000;

/**
 * The worker of one peer: the loop of spec/mesh.md §B7 until it is stopped or
 * the peer is not active any more.
 */
export class PullPeerWorker {
  private readonly log: PullLog;
  private readonly mirrors = new MirrorTurns();
  /** When a mirror was last looked for. */
  private lookedAt = -Infinity;

  constructor(
    private readonly parts: PullParts,
    private readonly originId: number,
    private readonly signal: AbortSignal,
  ) {
    this.log = new PullLog(parts, originId, signal);
  }

  async run(): Promise<void> {
    const { events } = this.parts;
    while (!this.signal.aborted) {
      const change = events.subscribe('peers');
      try {
        const peer = await this.parts.store.peer(this.originId);
        if (peer === null || peer.status !== 'active') break;
        if (!(await this.log.open())) break;
        await this.turn(peer, change);
      } catch (error) {
        if (error instanceof PeerStopped) break;
        const { originId } = this;
        this.parts.log.warn({ err: error, originId }, 'a page was not stored');
        this.log.forget();
        await this.rest(OWN_FAULT_MS, events.subscribe('peers'));
      } finally {
        change.close();
      }
    }
    await this.log.end();
  }

  private async turn(peer: PullPeer, change: Subscription): Promise<void> {
    const { store, clock } = this.parts;
    await store.keepTexts(peer, clock.now());
    const now = clock.now();
    const pause = (peer.retry_at ?? 0) - now;
    const alive = deathOf(peer) - now;
    if (pause <= 0) await this.roundAtOrigin(peer);
    else if (alive > 0) await this.rest(Math.min(pause, alive), change);
    else await this.roundAtMirror(peer, pause, change);
  }

  /**
   * A question that the origin leaves unanswered when it is given up for dead
   * ends soon after, once each time: then its mirrors have their turn.
   */
  private async roundAtOrigin(peer: PullPeer): Promise<void> {
    const { clock } = this.parts;
    const now = clock.now();
    const diesAt = deathOf(peer);
    const looked = this.lookedAt >= diesAt;
    const left = Math.max(diesAt, now) + GRACE_MS - now;
    await this.round(
      peer,
      { source: originSource(peer), fromOrigin: true, waitMs: WAIT_MS },
      (end) => (looked ? () => {} : clock.after(left, end)),
    );
  }

  /**
   * A dead origin's log goes on at its mirrors until it is tried again; a
   * change of what is known of the peers, such as a hint, ends a wait there.
   */
  private async roundAtMirror(
    peer: PullPeer,
    pause: number,
    change: Subscription,
  ): Promise<void> {
    const { store, clock } = this.parts;
    const sources = await store.mirrors(this.originId, peer.origin);
    this.lookedAt = clock.now();
    const source = this.mirrors.next(sources, clock.now());
    if (source === null) {
      const over = await this.rest(Math.min(pause, FAILED_MS), change);
      if (!over) this.mirrors.forget();
      return;
    }
    let changed = false;
    const round = { source, fromOrigin: false, waitMs: pause };
    const outcome = await this.round(peer, round, (end) => {
      void change.woken.then(() => {
        changed = true;
        end();
      });
      return () => {};
    });
    if (changed) this.mirrors.forget();
    else this.mirrors.over(source, outcome, clock.now());
  }

  /** One round whose question ends with the worker, and when `arm` says so. */
  private async round(
    peer: PullPeer,
    round: Omit<Round, 'signal'>,
    arm: (end: () => void) => () => void,
  ): Promise<Outcome> {
    const ending = new AbortController();
    const end = () => ending.abort();
    if (this.signal.aborted) end();
    this.signal.addEventListener('abort', end, { once: true });
    const disarm = arm(end);
    try {
      return await this.log.round(peer, { ...round, signal: ending.signal });
    } finally {
      disarm();
      this.signal.removeEventListener('abort', end);
    }
  }

  private async rest(ms: number, change: Subscription): Promise<boolean> {
    return await rest(this.parts.clock, ms, change, this.signal);
  }
}

/** When an origin counts as dead; never while only a quota is used up. */
function deathOf(peer: PullPeer): number {
  if (peer.last_error_code === 'quota') return Infinity;
  return (peer.last_success_at ?? peer.confirmed_at ?? 0) + DEAD_MS;
}
