import type { Figure } from '../row.js';
import type { RowResult } from './results.js';

export const HEAD = [
  ...['row', 'work', 'figure', 'reference', 'ratio', 'off', 'mark', 'met'],
];

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

function amount(value: number, unit: string): string {
  return `${NUMBER.format(value)} ${unit}`.trim();
}

function verdict({ mark }: Figure): string {
  if (mark === undefined) return '';
  if (mark.met === null) return 'not judged';
  return mark.met ? 'yes' : 'NO';
}

/** What it is with `FAST_PATHS=off`, the ratio in brackets. */
function withoutFastPaths({ off, unit }: Figure): string {
  if (off === undefined) return '';
  const ratio = off.ratio === undefined ? '' : ` (${NUMBER.format(off.ratio)})`;
  return `${amount(off.value, unit)}${ratio}`;
}

export function lines(rows: readonly RowResult[]): string[][] {
  return rows.flatMap(({ id, work, figures, skipped }) => {
    if (skipped !== undefined) {
      return [[id, work, `not measured: ${skipped}`, '', '', '', '', '']];
    }
    return figures.map((figure, at) => [
      at === 0 ? id : '',
      at === 0 ? work : '',
      `${figure.what}: ${amount(figure.value, figure.unit)}`,
      figure.reference === undefined
        ? ''
        : `${figure.reference.what}: ${amount(figure.reference.value, figure.reference.unit)}`,
      figure.ratio === undefined ? '' : NUMBER.format(figure.ratio),
      withoutFastPaths(figure),
      figure.mark?.text ?? '',
      verdict(figure),
    ]);
  });
}

export function textTable(rows: readonly RowResult[]): string {
  return aligned([HEAD, ...lines(rows)]);
}

export function aligned(cells: readonly string[][]): string {
  const widths = cells[0]?.map((_, at) =>
    Math.max(
      ...cells.map((line) => (isWide(line) ? 0 : (line[at] ?? '').length)),
    ),
  );
  return cells
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths?.[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A sentence instead of figures does not widen its column. */
function isWide(line: readonly string[]): boolean {
  return line[2]?.startsWith('not measured') ?? false;
}
