import { aligned } from '../report/table.js';

export type KeptFigure = {
  /** The row's id and the figure's name. */
  name: string;
  unit: string;
  better: 'more' | 'less';
  value: number;
  /** Share of the value by which a figure may be worse. */
  tolerance: number;
  why: string;
};

export type Baseline = {
  date: string;
  commit: string;
  machine: string;
  figures: KeptFigure[];
};

export type Found = ReadonlyMap<string, number>;

export type Compared = {
  figure: KeptFigure;
  /** Null: it was not measured, which is not ok. */
  now: number | null;
  ok: boolean;
};

export function compare(
  figures: readonly KeptFigure[],
  found: Found,
): Compared[] {
  return figures.map((figure) => {
    const now = found.get(figure.name) ?? null;
    return { figure, now, ok: now !== null && isWithin(figure, now) };
  });
}

function isWithin(figure: KeptFigure, now: number): boolean {
  return figure.better === 'more'
    ? now >= limitOf(figure)
    : now <= limitOf(figure);
}

export function limitOf({ better, value, tolerance }: KeptFigure): number {
  return value * (better === 'more' ? 1 - tolerance : 1 + tolerance);
}

export function bestOf(
  figures: readonly KeptFigure[],
  one: Found,
  other: Found,
): Found {
  const best = new Map<string, number>();
  for (const { name, better } of figures) {
    const values = [one.get(name), other.get(name)].filter(
      (value) => value !== undefined,
    );
    if (values.length === 0) continue;
    const pick = better === 'more' ? Math.max : Math.min;
    best.set(name, pick(...values));
  }
  return best;
}

const HEAD = ['figure', 'now', 'baseline', 'tolerance', 'ok'];
const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

export function driftTable(compared: readonly Compared[]): string {
  return aligned([HEAD, ...compared.map(cellsOf)]);
}

function cellsOf({ figure, now, ok }: Compared): string[] {
  const { name, unit, better, value, tolerance } = figure;
  const amount = (of: number) => `${NUMBER.format(of)} ${unit}`.trim();
  const sign = better === 'more' ? '−' : '+';
  return [
    name,
    now === null ? 'not measured' : amount(now),
    amount(value),
    `${sign}${NUMBER.format(tolerance * 100)} %`,
    ok ? 'yes' : 'NO',
  ];
}
