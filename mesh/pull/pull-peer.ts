import type { Subscription } from '../../server/events.js';
import { PullLog, WAIT_MS } from './pull-log.js';
import type { PullParts } from './pull-parts.js';
import { originSource, type PullPeer } from './pull-peer-row.js';
import { rest } from './rest.js';
import { PeerStopped } from './while-active.js';

/** An origin unheard for so long is also looked for at its mirrors. */
const DEAD_MS = 60_000;
/** Between rounds in which no mirror of a dead origin answered well. */
const MIRRORS_MS = 30_000;
/** After a fault of this node itself, such as a database that is away. */
const OWN_FAULT_MS = 1000;

/**
 * The worker of one peer: the loop of mesh.md B7 until it is stopped or the
 * peer is not active any more.
 */
export class PullPeerWorker {
  private readonly log: PullLog;

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
    const pause = (peer.retry_at ?? 0) - clock.now();
    if (pause > 0) {
      const tried = await this.roundAtMirrors(peer, pause, change);
      if (!tried) await this.rest(pause, change);
      return;
    }
    const source = originSource(peer);
    await this.log.round(peer, { source, fromOrigin: true, waitMs: WAIT_MS });
  }

  /** A dead origin's log goes on at its mirrors until it is tried again. */
  private async roundAtMirrors(
    peer: PullPeer,
    pause: number,
    change: Subscription,
  ): Promise<boolean> {
    const { store, clock } = this.parts;
    const heard = peer.last_success_at ?? peer.confirmed_at ?? 0;
    const alive = clock.now() - heard < DEAD_MS;
    if (alive || peer.last_error_code === 'quota') return false;
    const sources = await store.mirrors(this.originId, peer.origin);
    for (const source of sources) {
      const round = { source, fromOrigin: false, waitMs: pause };
      if ((await this.log.round(peer, round)) !== 'failed') return true;
      if (this.signal.aborted) return true;
    }
    if (sources.length > 0) {
      await this.rest(Math.min(pause, MIRRORS_MS), change);
    }
    return sources.length > 0;
  }

  private async rest(ms: number, change: Subscription): Promise<void> {
    await rest(ms, change, this.signal);
  }
}
