import type { PullSource } from './hooks.js';

/** Where a round asks, and for how many ms it may wait there. */
export type Round = {
  source: PullSource;
  /** Else a mirror of the log is asked. */
  fromOrigin: boolean;
  waitMs: number;
  /** Ends the question early, as one that was not answered in time. */
  signal: AbortSignal;
};

export type Outcome = 'grown' | 'level' | 'failed';
