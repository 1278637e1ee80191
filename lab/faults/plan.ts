import { CONCURRENCY } from './plan/concurrency.js';
import { CRASHES } from './plan/crashes.js';
import { EDGE } from './plan/edge.js';
import { MESH } from './plan/mesh.js';
import { OPERATORS } from './plan/operators.js';
import { RUNBOOK } from './plan/runbook.js';

/** A row of the fault plan, and the tests that inject its faults. */
export type Row = {
  id: string;
  /** What is injected, in a few words. */
  what: string;
  /** How many of it at least; in each profile, where that differs. */
  least: number | { ci: number; full: number };
  /**
   * Files below `test/`, without `.test.ts`; after a `#` a part of the full
   * titles of the tests that count.
   */
  tests: readonly string[];
  /** Each test injects one fault and reports none. */
  counted?: 'tests';
  /** The full profile alone runs it, and only tests of the title it names. */
  fullOnly?: true;
};

/** Tables A to I and R of the fault plan. */
export const PLAN: readonly Row[] = [
  ...CRASHES,
  ...CONCURRENCY,
  ...EDGE,
  ...MESH,
  ...OPERATORS,
  ...RUNBOOK,
];
