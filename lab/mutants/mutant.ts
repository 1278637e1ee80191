/** A row of the fault plan: crash, concurrency, time, HTTP, mesh, admin … */
export type FaultClass = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'I';

/**
 * A bug that people make, planted to prove that the suites see it. Its patch
 * is `<id>.patch` beside this file and names the lines it changes.
 */
export type Mutant = {
  id: string;
  /** What is wrong once it is planted. */
  bug: string;
  class: FaultClass;
  /** Test files, each of which has to fail by an assertion. */
  caughtBy: readonly string[];
};
