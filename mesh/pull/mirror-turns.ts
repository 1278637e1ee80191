import type { PullSource } from './hooks.js';
import type { Outcome } from './round.js';

/** How long a mirror that failed is left alone, doubled each time. */
export const FAILED_MS = 15_000;
const LONGEST_MS = 600_000;

type Known = { turn: number; at: number; failures: number };
const UNASKED: Known = { turn: 0, at: -Infinity, failures: 0 };

/**
 * Whose turn it is among the mirrors of a dead origin: one that has more keeps
 * its turn, and of the others the one that was asked longest ago is next. So
 * one that is behind hides no other, and one that fails delays few rounds.
 */
export class MirrorTurns {
  private readonly known = new Map<string, Known>();
  private turns = 0;

  /** Null where all of them failed a moment ago, and where there is none. */
  next(sources: readonly PullSource[], now: number): PullSource | null {
    const inTurn = [...sources].sort(
      (a, b) => this.of(a).turn - this.of(b).turn,
    );
    const since = (source: PullSource) => Math.abs(now - this.of(source).at);
    return (
      inTurn.find((it) => since(it) >= pauseOf(this.of(it))) ??
      inTurn.find((it) => since(it) >= FAILED_MS) ??
      null
    );
  }

  over(source: PullSource, outcome: Outcome, at: number): void {
    if (outcome === 'grown') return;
    const { failures } = this.of(source);
    this.turns += 1;
    this.known.set(source.baseUrl, {
      turn: this.turns,
      at,
      failures: outcome === 'failed' ? failures + 1 : 0,
    });
  }

  /** Those that failed may be back. */
  forget(): void {
    this.known.clear();
  }

  private of({ baseUrl }: PullSource): Known {
    return this.known.get(baseUrl) ?? UNASKED;
  }
}

function pauseOf({ failures }: Known): number {
  if (failures === 0) return 0;
  return Math.min(LONGEST_MS, FAILED_MS * 2 ** (failures - 1));
}
