import type { Head } from './ask-peer.js';
import { judgeHead } from './judge-head.js';
import type { KnownLog, WitnessParts } from './known-logs.js';
import { suspectOurHead } from './own-log-conflict.js';
import { endSilence } from './witness.sql.js';

/** What one peer may take of a round, in ms. */
const PEER_MS = 20_000;

/** The same parts for one peer, whose requests end with its time. */
export function hurried(parts: WitnessParts): WitnessParts {
  const time = AbortSignal.timeout(PEER_MS);
  return { ...parts, stopping: AbortSignal.any([parts.stopping, time]) };
}

/**
 * The heads shown in one round, judged as they come: one after the other of
 * each log, and each log beside the others and in its own time, so that a log
 * that is slow to explain itself delays no other.
 */
export class HeadRound {
  /** Logs of which a head fits nothing that is known of them. */
  readonly unresolved = new Set<number>();
  private readonly seen = new Set<string>();
  private readonly lines = new Map<string, Promise<void>>();
  private readonly times = new Map<string, WitnessParts>();
  private failure: unknown = null;

  constructor(
    private readonly parts: WitnessParts,
    readonly logs: ReadonlyMap<string, KnownLog>,
  ) {}

  take(heads: readonly Head[]): void {
    for (const head of heads) {
      if (this.seen.has(head.note)) continue;
      this.seen.add(head.note);
      const before = this.lines.get(head.origin) ?? Promise.resolve();
      const mine = before
        .then(() => this.judge(head))
        .catch((error: unknown) => {
          this.failure ??= error;
        });
      this.lines.set(head.origin, mine);
    }
  }

  /** Every head is judged; throws what went wrong here. */
  async over(): Promise<void> {
    await Promise.all(this.lines.values());
    if (this.failure !== null) throw this.failure;
  }

  private async judge(head: Head): Promise<void> {
    const { origin, note } = head;
    await suspectOurHead(this.parts, head);
    const log = this.logs.get(origin);
    if (log === undefined) return;
    const parts = this.times.get(origin) ?? hurried(this.parts);
    this.times.set(origin, parts);
    const verdict = await judgeHead(parts, log, note);
    if (verdict === 'unresolved') this.unresolved.add(log.originId);
    if (verdict === 'continues') {
      await endSilence(this.parts.writes, log.originId);
    }
  }
}
