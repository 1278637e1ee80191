import type { DurablePage } from '../pull/hooks.js';
import { cosignPage } from './own-cosignature.js';
import type { WitnessParts } from './witness-parts.js';

const EVERY_MS = 1000;
const SEND_MS = 20_000;

type Waiting = {
  page: DurablePage | null;
  /** `performance.now()` of the last cosignature. */
  last: number;
  timer: NodeJS.Timeout | null;
  working: Promise<void>;
};

type Parts = Pick<
  WitnessParts,
  'writes' | 'keys' | 'clock' | 'log' | 'client' | 'stopping'
>;

/**
 * Cosigns our peers' logs: at most once a second and log, and always the last
 * state (spec/mesh.md §B7 step 7, B13). What a peer refuses is sent again with
 * the next one, or by the gossip round that sees it missing there.
 */
export class Cosigner {
  private readonly logs = new Map<number, Waiting>();

  constructor(private readonly parts: Parts) {}

  /** To be called after the commit of a page that reached a signed head. */
  durable(page: DurablePage): void {
    const waiting = this.waitingOf(page.originId);
    waiting.page = page;
    if (waiting.timer !== null) return;
    const rest = waiting.last + EVERY_MS - performance.now();
    waiting.timer = setTimeout(
      () => {
        waiting.timer = null;
        waiting.working = waiting.working.then(() => this.sign(waiting));
      },
      Math.max(0, rest),
    );
  }

  /** Signs what waits, so that the last state is never left out. */
  async stop(): Promise<void> {
    for (const waiting of this.logs.values()) {
      if (waiting.timer !== null) clearTimeout(waiting.timer);
      waiting.timer = null;
      waiting.working = waiting.working.then(() => this.sign(waiting));
    }
    await Promise.all([...this.logs.values()].map(({ working }) => working));
  }

  /** Sends the newest cosignature again. */
  async send(
    originId: number,
    lines: { body: string; log: string; cosignature: string },
  ): Promise<void> {
    const { writes, client, log, stopping } = this.parts;
    const [peer] = await writes.query<{ base_url: string }>(
      "SELECT base_url FROM peer WHERE origin_id = $1 AND status = 'active'",
      [originId],
    );
    if (peer === undefined) return;
    const sent = await client.post(peer.base_url, '/api/mesh/cosign', lines, {
      signal: AbortSignal.any([stopping, AbortSignal.timeout(SEND_MS)]),
      maxWireBytes: 65_536,
    });
    const status = sent.ok ? sent.value.status : sent.reason;
    if (status !== 204) {
      log.debug({ peer: peer.base_url, status }, 'a cosignature was not taken');
    }
  }

  private async sign(waiting: Waiting): Promise<void> {
    const { page } = waiting;
    if (page === null) return;
    waiting.page = null;
    waiting.last = performance.now();
    const { writes, keys, clock, log } = this.parts;
    try {
      const now = clock.now();
      const lines = await cosignPage(writes, page, keys.mirror, now);
      if (lines !== null) await this.send(page.originId, lines);
    } catch (error) {
      log.warn({ err: error, origin: page.origin }, 'cosigning failed');
    }
  }

  private waitingOf(originId: number): Waiting {
    const known = this.logs.get(originId);
    if (known !== undefined) return known;
    const made: Waiting = {
      page: null,
      last: Number.NEGATIVE_INFINITY,
      timer: null,
      working: Promise.resolve(),
    };
    this.logs.set(originId, made);
    return made;
  }
}
