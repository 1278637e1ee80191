import { PLAN, type Row } from './plan.js';
import type { Result } from './results.js';

/** What a row shows: its newest full run, or whatever failed since. */
function shown(row: Row, results: readonly Result[]): Result | null {
  const mine = results.filter((one) => one.row === row.id);
  const newest = mine.at(-1) ?? null;
  if (newest?.result === 'fail') return newest;
  const full = mine.filter(({ profile }) => profile === 'full');
  return full.at(-1) ?? newest;
}

const number = (value: number) => value.toLocaleString('en-US');

/** The sentence that the README repeats. */
export function sentence(results: readonly Result[]): string {
  const rows = PLAN.map((row) => shown(row, results));
  const run = rows.filter(
    (one): one is Result => one !== null && one.result !== 'not run',
  );
  const sum = (of: (one: Result) => number) =>
    number(run.reduce((total, one) => total + of(one), 0));
  const passed = run.filter(({ result }) => result === 'pass').length;
  const last =
    run
      .map(({ at }) => at.slice(0, 10))
      .sort()
      .at(-1) ?? 'never';
  const fully = run.filter(({ profile }) => profile === 'full').length;
  return [
    `${sum((one) => one.injected)} faults were injected: crashes, cut`,
    `connections, full disks, hostile input. Of ${sum((one) => one.acked)}`,
    `writes that were acknowledged meanwhile ${sum((one) => one.lost)} were lost`,
    `and ${sum((one) => one.doubled)} doubled. ${passed} of ${PLAN.length} rows of`,
    `the fault plan passed; ${fully} rows ran at full size, the last on ${last}.`,
  ].join(' ');
}

/** `lab/reports/faults.md`, from the lines of `reports/faults.jsonl`. */
export function render(results: readonly Result[]): string {
  const head = [
    ...['row', 'what was injected', 'how many', 'acked', 'lost', 'doubled'],
    ...['result', 'profile', 'seed', 'date', 'commit'],
  ];
  const rows = PLAN.map((row) => {
    const one = shown(row, results);
    const what = row.what.replaceAll('|', '\\|');
    if (one === null) return [row.id, what, ...Array(9).fill('–')];
    const { injected, acked, lost, doubled } = one;
    return [
      ...[row.id, what, ...[injected, acked, lost, doubled].map(number)],
      one.result,
      one.shared === true ? `${one.profile}, shared` : one.profile,
      String(one.seed),
      one.at.slice(0, 10),
      one.commit ?? '–',
    ];
  });
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const seen = PLAN.flatMap((row) => shown(row, results) ?? []);
  const machines = [...new Set(seen.map((one) => one.machine))];
  const said = seen.flatMap(({ row, because }) =>
    because === undefined ? [] : [`- ${row}: ${because.replace(/\s+/g, ' ')}`],
  );
  const figures = seen.flatMap(({ row, figure }) =>
    figure === undefined ? [] : [`- ${row}: ${figure}`],
  );
  return [
    '# Faults',
    '',
    sentence(results),
    '',
    'Made by `npm run faults`; `npm run faults -- --only A1 --seed 7` repeats a',
    'row. A row shows its newest full run, or what has failed since; where',
    'others used the machine meanwhile (shared), time limits had room.',
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
    ...(said.length > 0
      ? ['What was not injected, missed its mark or failed:', '', ...said, '']
      : []),
    ...(figures.length > 0 ? ['What was measured:', '', ...figures, ''] : []),
    ...machines.map((one) => `On ${one}.`),
    '',
  ].join('\n');
}
