import { lazy, type ReactNode, Suspense } from 'react';
import { Loading } from './Answered.js';
import { Boundary } from './Boundary.js';
import { COUNTS, type Line, type Scale, written } from './chart-scale.js';
import { type Columns, DataTable } from './DataTable.js';
import { Inert } from './Inert.js';
import { absolute } from './Time.js';

const ChartLines = lazy(() => import('./ChartLines.js'));

/** With fewer figures a chart is a spike on a flat line. */
const FEWEST = 3;

type Props = {
  title: string;
  /** Start of each bucket, in ms. */
  at: readonly number[];
  series: Readonly<Record<string, Line>>;
  scale?: Scale;
  /** Shown instead of lines while they say nothing. */
  small: ReactNode;
  fewest?: number;
};

export function isWorthAChart(
  series: Props['series'],
  fewest = FEWEST,
): boolean {
  const lines = Object.values(series);
  const times = lines[0]?.filter((_, n) =>
    lines.some((line) => (line[n] ?? 0) !== 0),
  );
  return (times?.length ?? 0) >= fewest;
}

/** A chart, and the same figures as a table. */
export function TimeChart(props: Props) {
  const { title, at, series, scale = COUNTS, small, fewest } = props;
  const columns: Columns<{ n: number }> = Object.fromEntries(
    Object.entries(series).map(([name, line]) => [
      name,
      ({ n }) => <Inert text={written(line[n], scale)} />,
    ]),
  );
  return (
    <figure className="stack">
      {isWorthAChart(series, fewest) ? (
        <Boundary>
          <Suspense fallback={<Loading what="the chart" />}>
            <ChartLines title={title} at={at} series={series} scale={scale} />
          </Suspense>
        </Boundary>
      ) : (
        small
      )}
      <details>
        <summary>{title} as a table</summary>
        <DataTable
          caption={title}
          data={at.map((time, n) => ({ time, n })).reverse()}
          rowId={({ time }) => String(time)}
          columns={{ From: ({ time }) => absolute(time), ...columns }}
          figures={Object.keys(columns)}
        />
      </details>
    </figure>
  );
}
