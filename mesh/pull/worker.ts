import type { Subscription } from '../../server/db/events.js';
import { isPullable } from '../../server/db/pullable.js';
import type { Outcome, PullParts, PullSource, Round } from './hooks.js';
import { PullLog, WAIT_MS } from './pull-log.js';
import { sleep } from './sleep.js';
import { PeerStopped } from './store/apply-page.js';
import { originSource, type PullPeer } from './store/peer-rows.js';

/** After so long mirrors are tried, too. */
const DEAD_MS = 60_000;
/** Limit of a request to a dead origin. */
const GRACE_MS = 10_000;
/** After this node's own fault, such as a lost database. */
const OWN_FAULT_MS = 1000;
/** For a failed mirror; doubled each time. */
const FAILED_MS = 15_000;
const LONGEST_FAILED_MS = 600_000;

/** The loop of spec/mesh.md §B7, until stopped or the peer is not active. */
export class PullPeerWorker {
  private readonly log: PullLog;
  private readonly mirrors = new MirrorRotation();
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
        if (peer === null || !isPullable(peer)) break;
        if (!(await this.log.open())) break;
        await this.step(peer, change);
      } catch (error) {
        if (error instanceof PeerStopped) break;
        const { originId } = this;
        this.parts.log.warn({ err: error, originId }, 'a page was not stored');
        this.log.forget();
        await this.sleep(OWN_FAULT_MS, events.subscribe('peers'));
      } finally {
        change.close();
      }
    }
    await this.log.end();
  }

  private async step(peer: PullPeer, change: Subscription): Promise<void> {
    const { store, clock } = this.parts;
    await store.keepTexts(peer, clock.now());
    const now = clock.now();
    const pause = (peer.retryAt ?? 0) - now;
    const alive = deathOf(peer) - now;
    if (pause <= 0) await this.roundAtOrigin(peer);
    else if (alive > 0) await this.sleep(Math.min(pause, alive), change);
    else await this.roundAtMirror(peer, pause, change);
  }

  /** A dead origin's request ends early: then mirrors are tried. */
  private async roundAtOrigin(peer: PullPeer): Promise<void> {
    const { clock } = this.parts;
    const now = clock.now();
    const diesAt = deathOf(peer);
    const looked = this.lookedAt >= diesAt;
    const left = Math.max(diesAt, now) + GRACE_MS - now;
    const source = originSource(peer);
    const round = { peer, source, fromOrigin: true, waitMs: WAIT_MS };
    await this.round(round, (end) =>
      looked ? () => {} : clock.after(left, end),
    );
  }

  /** Until the origin is tried again or peers change. */
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
      const over = await this.sleep(Math.min(pause, FAILED_MS), change);
      if (!over) this.mirrors.forget();
      return;
    }
    let changed = false;
    const round = { peer, source, fromOrigin: false, waitMs: pause };
    const outcome = await this.round(round, (end) => {
      void change.woken.then(() => {
        changed = true;
        end();
      });
      return () => {};
    });
    if (changed) this.mirrors.forget();
    else this.mirrors.over(source, outcome, clock.now());
  }

  /** Its request ends with the worker, and when `arm` says so. */
  private async round(
    round: Omit<Round, 'signal'>,
    arm: (end: () => void) => () => void,
  ): Promise<Outcome> {
    const ending = new AbortController();
    const end = () => ending.abort();
    if (this.signal.aborted) end();
    this.signal.addEventListener('abort', end, { once: true });
    const disarm = arm(end);
    try {
      return await this.log.round({ ...round, signal: ending.signal });
    } finally {
      disarm();
      this.signal.removeEventListener('abort', end);
    }
  }

  private async sleep(ms: number, change: Subscription): Promise<boolean> {
    return await sleep(this.parts.clock, ms, change, this.signal);
  }
}

/** Never while a quota is used up. */
function deathOf(peer: PullPeer): number {
  if (peer.lastErrorCode === 'quota') return Infinity;
  return (peer.lastSuccessAt ?? peer.confirmedAt ?? 0) + DEAD_MS;
}

type Asked = { round: number; at: number; failures: number };
const UNASKED: Asked = { round: 0, at: -Infinity, failures: 0 };

/**
 * A mirror that has more stays; else the one that was asked longest ago
 * follows. So a lagging mirror hides no other.
 */
class MirrorRotation {
  private readonly asked = new Map<string, Asked>();
  private rounds = 0;

  /** Null where all have just failed. */
  next(sources: readonly PullSource[], now: number): PullSource | null {
    const inOrder = [...sources].sort(
      (a, b) => this.of(a).round - this.of(b).round,
    );
    const since = (source: PullSource) => Math.abs(now - this.of(source).at);
    return (
      inOrder.find((it) => since(it) >= pauseOf(this.of(it))) ??
      inOrder.find((it) => since(it) >= FAILED_MS) ??
      null
    );
  }

  over(source: PullSource, outcome: Outcome, at: number): void {
    if (outcome === 'grown') return;
    const { failures } = this.of(source);
    this.rounds += 1;
    this.asked.set(source.baseUrl, {
      round: this.rounds,
      at,
      failures: outcome === 'failed' ? failures + 1 : 0,
    });
  }

  forget(): void {
    this.asked.clear();
  }

  private of({ baseUrl }: PullSource): Asked {
    return this.asked.get(baseUrl) ?? UNASKED;
  }
}

function pauseOf({ failures }: Asked): number {
  if (failures === 0) return 0;
  return Math.min(LONGEST_FAILED_MS, FAILED_MS * 2 ** (failures - 1));
}
