import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { DataTable } from './DataTable.js';
import { count } from './figures.js';
import { absolute } from './time.js';
import { plain } from './words.js';

const HEIGHT = 220;
/** Told apart by brightness too, for those who see few colours. */
const LINES = {
  light: ['#1864ab', '#a61e1e', '#2b8a3e', '#862e9c', '#7a4a00', '#495057'],
  dark: ['#74c0fc', '#ffa8a8', '#8ce99a', '#e599f7', '#ffd43b', '#ced4da'],
};
const DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3], [12, 4], [1, 2]];

type Props = {
  title: string;
  /** Start of each bucket, in ms. */
  at: readonly number[];
  series: Readonly<Record<string, readonly number[]>>;
};

/** Lines over time, and under them the same figures as a table. */
export function TimeChart({ title, at, series }: Props) {
  const names = Object.keys(series);
  const rows = at.map((time, n) => ({ time, n }));
  return (
    <figure className="stack" style={{ margin: 0 }}>
      <Lines title={title} at={at} series={series} />
      <details>
        <summary>{title} as a table</summary>
        <DataTable
          caption={title}
          data={[...rows].reverse()}
          rowId={({ time }) => String(time)}
          columns={[
            { head: 'From', cell: ({ time }) => absolute(time) },
            ...names.map((name) => ({
              head: plain(name),
              cell: ({ n }: { n: number }) => count(series[name]?.[n] ?? 0),
              figure: true,
            })),
          ]}
        />
      </details>
    </figure>
  );
}

function Lines({ title, at, series }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const ink = scheme === 'dark' ? '#ced4da' : '#343a40';
    const grid = { stroke: scheme === 'dark' ? '#3b3e42' : '#e9ecef' };
    const axis = { stroke: ink, grid, ticks: grid };
    const width = () => Math.max(240, element.clientWidth);
    const chart = new uPlot(
      {
        width: width(),
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        axes: [axis, { ...axis, size: 56 }],
        scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high)] } },
        series: [
          { label: 'UTC' },
          ...Object.keys(series).map((name, n) => ({
            label: plain(name),
            stroke: LINES[scheme][n % 6] ?? ink,
            dash: DASHES[n % 6] ?? [],
            width: 2,
            points: { show: false },
          })),
        ],
      },
      [
        at.map((ms) => ms / 1000),
        ...Object.values(series).map((it) => [...it]),
      ],
      element,
    );
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: width(), height: HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [at, series, scheme]);
  return <div ref={box} className="chart" role="img" aria-label={title} />;
}
