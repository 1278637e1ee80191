export type Pace = {
  /** Of one slice, and how often slices are taken by turns. */
  seconds: number;
  rounds: number;
  /** Rounds with `FAST_PATHS=off`; 0: no row is measured without them. */
  offRounds: number;
  warmSlices: number;
  ingest: { messages: number; runs: number };
  /** Of a node: how often it is started, and its load before its memory. */
  starts: number;
  loadSeconds: number;
  /** Of doing nothing, before memory is that of an idle node. */
  idleMs: number;
  afterLoadMs: number;
  /** By which every time limit of a board is multiplied. */
  patience: number;
};

export const FULL: Pace = {
  seconds: 3,
  rounds: 5,
  offRounds: 2,
  warmSlices: 8,
  ingest: { messages: 100_000, runs: 3 },
  starts: 5,
  loadSeconds: 10,
  idleMs: 5000,
  afterLoadMs: 60_000,
  patience: 1,
};

/** Tiny and without meaning: only the harness itself is tried. */
export const TRIAL: Pace = {
  seconds: 0.15,
  rounds: 1,
  offRounds: 1,
  warmSlices: 1,
  ingest: { messages: 600, runs: 1 },
  starts: 1,
  loadSeconds: 0.3,
  idleMs: 0,
  afterLoadMs: 0,
  patience: 100, // a trial must not fail because a busy machine makes writers wait
};

/** Short enough for every run of CI; compared only with itself. */
export const DRIFT: Pace = {
  seconds: 0.6,
  rounds: 3,
  offRounds: 0,
  warmSlices: 12, // after 4, half of the code that runs was not compiled yet
  ingest: { messages: 30_000, runs: 1 },
  starts: 2,
  loadSeconds: 1,
  idleMs: 1000,
  afterLoadMs: 3000,
  patience: 100,
};
