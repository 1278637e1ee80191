import type { Lab } from './set-up/lab.js';

/** What must hold of a figure; `met` is null where it cannot be judged. */
export type Mark = { text: string; met: boolean | null };

export type Figure = {
  /** What of the row it says, e.g. `1 client`. */
  what: string;
  value: number;
  unit: string;
  /** Measured in the same run, by turns with the value. */
  reference?: { what: string; value: number; unit: string };
  /** Of value and reference, as the mark has it; greater is not always good. */
  ratio?: number;
  /** The same with `FAST_PATHS=off`, in fewer rounds and without a mark. */
  off?: { value: number; ratio?: number };
  mark?: Mark;
};

export type Outcome = { figures: Figure[]; notes: string[] };

export type Section = 'reads' | 'writes' | 'mesh' | 'node';

export type Row = {
  id: string;
  section: Section;
  work: string;
  /** What its figures are compared with, and the marks, for the table. */
  reference: string;
  marks: string;
  /** Why it is not measured a second time with `FAST_PATHS=off`. */
  sameWithoutFastPaths?: string;
  run(lab: Lab): Promise<Outcome>;
};

export class CannotRun extends Error {}

export const rounded = (value: number, digits = 2): number =>
  Number(value.toFixed(digits));

export function atLeast(value: number, least: number, unit = ''): Mark {
  const text = `≥ ${least}${unit}`;
  return { text, met: value >= least };
}

export function atMost(value: number, most: number, unit = ''): Mark {
  const text = `≤ ${most}${unit}`;
  return { text, met: value <= most };
}

type Beside = { reference?: Amount; ratio?: number; mark?: Mark | undefined };
type Amount = [what: string, value: number, unit?: string | undefined];

/** With so many digits; a reference without a unit has the figure's. */
export function figure(
  what: string,
  [value, unit, digits = 2]: [value: number, unit: string, digits?: number],
  { reference, ratio, mark }: Beside = {},
): Figure {
  const [other = '', amount = 0, of = unit] = reference ?? [];
  const beside = { what: other, value: rounded(amount, digits), unit: of };
  return {
    ...{ what, value: rounded(value, digits), unit },
    ...(reference === undefined ? {} : { reference: beside }),
    ...(ratio === undefined ? {} : { ratio: rounded(ratio, 3) }),
    ...(mark === undefined ? {} : { mark }),
  };
}

export function unjudged(figure: Figure): Figure {
  const { mark } = figure;
  return mark === undefined
    ? figure
    : { ...figure, mark: { ...mark, met: null } };
}
