import { availableParallelism, cpus } from 'node:os';
import type { RecordLine } from '../../test/faults/report.js';
import type { Outcome } from '../outcome.js';
import type { Row } from './plan.js';

export type Profile = 'ci' | 'full';

/** A line of `lab/reports/faults.jsonl`: what became of a row in one run. */
export type Result = {
  at: string;
  /** Short hash, with a `+` where the tree had changes; not in older lines. */
  commit?: string;
  profile: Profile;
  row: string;
  result: 'pass' | 'fail' | 'missed' | 'not run';
  injected: number;
  acked: number;
  unknown: number;
  lost: number;
  doubled: number;
  /** Why it failed or missed its mark, or what of it was not run here. */
  because?: string;
  figure?: string;
  seed: number;
  /** Others used the machine meanwhile, and time limits had room. */
  shared?: true;
  machine: string;
};

/** Whether a test of the plan's list is meant: `file` or `file#title`. */
export function isOf(row: Row, { file, title }: Outcome): boolean {
  return row.tests.some((test) => {
    const [name, part = ''] = test.split('#');
    return file === `${name}.test.ts` && title.includes(part);
  });
}

export function filesOf({ tests }: Row): string[] {
  return tests.map((test) => `${test.split('#')[0]}.test.ts`);
}

export function titleOf({ tests: [first = ''] }: Row): string {
  return first.split('#')[1] ?? '';
}

export function resultOf(
  row: Row,
  run: { profile: Profile; seed: number; shared?: boolean; commit?: string },
  outcomes: readonly Outcome[],
  records: readonly RecordLine[],
): Result {
  const mine = outcomes.filter((outcome) => isOf(row, outcome));
  const told = records.filter(({ test }) => test.split(' ')[0] === row.id);
  const sum = (of: (line: RecordLine) => number) =>
    told.reduce((total, line) => total + of(line), 0);
  const passed = mine.filter((one) => one.passed);
  const injected =
    row.counted === 'tests' ? passed.length : sum((line) => line.faults);
  const counts = {
    injected,
    acked: sum((line) => line.acked),
    unknown: sum((line) => line.unknown),
    lost: sum((line) => line.lost),
    doubled: sum((line) => line.doubled),
  };
  const failed = mine.filter((one) => !one.passed);
  const missing = told.flatMap(({ notRun }) => notRun ?? []);
  const least = leastOf(row, run.profile);
  const faults = [
    ...failed.map(({ title, error }) => `${title}: ${error ?? ''}`),
    ...(mine.length === 0 ? ['no test ran'] : []),
    ...(counts.lost + counts.doubled > 0 ? ['writes lost or doubled'] : []),
    ...(injected < least && missing.length === 0
      ? [`${injected} injected, ${least} wanted`]
      : []),
  ];
  const missed = told.flatMap((line) => line.missed ?? []);
  const because = [...faults, ...missed, ...missing].join('; ').slice(0, 300);
  const figure = told.flatMap((line) => line.figure ?? []).join('; ');
  const unrun = injected === 0 && missing.length > 0;
  const kind = missed.length > 0 ? 'missed' : unrun ? 'not run' : 'pass';
  return {
    at: new Date().toISOString(),
    ...(run.commit === undefined ? {} : { commit: run.commit }),
    profile: run.profile,
    row: row.id,
    result: faults.length > 0 ? 'fail' : kind,
    ...counts,
    ...(because === '' ? {} : { because }),
    ...(figure === '' ? {} : { figure }),
    seed: run.seed,
    ...(run.shared === true && run.profile === 'full' ? { shared: true } : {}),
    machine: machine(),
  };
}

function leastOf({ least }: Row, profile: Profile): number {
  return typeof least === 'number' ? least : least[profile];
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const { platform, arch, version } = process;
  return `${availableParallelism()} × ${model}, ${platform} ${arch}, Node ${version}`;
}
