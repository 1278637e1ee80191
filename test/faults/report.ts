import { appendFile } from 'node:fs/promises';
import type { Violation } from './check.js';

export type FaultRecord = {
  /** The row of the fault plan, and what of it this is: `F12 5 nodes`. */
  test: string;
  faults: number;
  seed?: number;
  acked?: number;
  /** Requests whose fate was unknown for a while, and converged. */
  unknown?: number;
  violations?: readonly Violation[];
};

/** What `npm run faults` reads: one line for each record. */
export type RecordLine = {
  test: string;
  faults: number;
  acked: number;
  unknown: number;
  lost: number;
  doubled: number;
  /** Why this part of the row could not be injected here. */
  notRun?: string;
  missed?: string;
  figure?: string;
};

/**
 * Tells what a test injected and what it found, to `npm run faults` where that
 * runs it: the published figures are added up from there, never typed.
 *
 * @throws Error when the checker found violations; they are told all the same.
 */
export async function recordFaults(record: FaultRecord): Promise<void> {
  const { test, faults, acked = 0, unknown = 0, violations = [] } = record;
  const count = (invariant: string) =>
    violations.filter((one) => one.invariant === invariant).length;
  await write({
    test,
    faults,
    acked,
    unknown,
    lost: count('I1'),
    doubled: count('I2'),
  });
  console.log(`      ${test}: ${faults} faults, ${acked} acked`);
  if (violations.length === 0) return;
  const told = violations.map(({ invariant, what }) => `${invariant} ${what}`);
  throw new Error(
    `${told.length} violations:\n${told.slice(0, 20).join('\n')}`,
  );
}

/** Tells that a row, or a part of it, cannot be injected on this machine. */
export async function recordNotRun(test: string, why: string): Promise<void> {
  console.log(`      ${test} was not run: ${why}`);
  await write({ test, ...NONE, notRun: why });
}

export async function recordMissed(test: string, what: string): Promise<void> {
  console.log(`      ${test} is missed: ${what}`);
  await write({ test, ...NONE, missed: what });
}

export async function recordFigure(
  test: string,
  figure: string,
): Promise<void> {
  console.log(`      ${test}: ${figure}`);
  await write({ test, ...NONE, figure });
}

/** Tells of a suite each of whose tests injects one fault. */
export async function recordSuite(
  test: string,
  { test: hook }: Mocha.Context,
): Promise<void> {
  const all = hook?.parent?.tests ?? [];
  const faults = all.filter((one) => one.state === 'passed').length;
  await recordFaults({ test, faults });
}

const NONE = { faults: 0, acked: 0, unknown: 0, lost: 0, doubled: 0 };

async function write(line: RecordLine): Promise<void> {
  const file = process.env.FAULTS_RECORDS;
  if (file !== undefined) await appendFile(file, `${JSON.stringify(line)}\n`);
}
