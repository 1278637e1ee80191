import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { hourOrDay, type Line, type Scale, written } from './chart-scale.js';
import { absolute } from './Time.js';

const HEIGHT = 190;
/** Differ in brightness, too, for people who see few colours. */
const LINES = {
  light: ['#1864ab', '#a61e1e', '#2b8a3e', '#862e9c', '#7a4a00', '#495057'],
  dark: ['#74c0fc', '#ffa8a8', '#8ce99a', '#e599f7', '#ffd43b', '#ced4da'],
};
const DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3], [12, 4], [1, 2]];

type Props = {
  title: string;
  at: readonly number[];
  series: Readonly<Record<string, Line>>;
  scale: Scale;
};

/** Values without neighbours, which make no line, get points. */
function alone(values: Line): number[] {
  return values.flatMap((value, n) =>
    value !== null &&
    (values[n - 1] ?? null) === null &&
    (values[n + 1] ?? null) === null
      ? [n]
      : [],
  );
}

/** Where the pointer is; else the newest. */
function figureAt(values: Line, n: number | null, scale: Scale): string {
  const known = values.filter((it) => it !== null);
  return written(n === null ? known.at(-1) : values[n], scale);
}

/** Loads its library with the first chart. */
export default function ChartLines({ title, at, series, scale }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const ink = scheme === 'dark' ? '#ced4da' : '#343a40';
    const grid = { stroke: scheme === 'dark' ? '#5c6066' : '#ced4da' };
    const axis = { stroke: ink, grid, ticks: grid };
    const width = () => Math.max(240, element.clientWidth);
    const chart = new uPlot(
      {
        width: width(),
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        axes: [
          { ...axis, values: (_plot, splits) => splits.map(hourOrDay) },
          {
            ...axis,
            size: 56,
            incrs: scale.steps,
            values: (_plot, splits) => splits.map((it) => scale.write(it)),
          },
        ],
        scales: {
          y: { range: (_plot, _low, high) => [0, Math.max(scale.least, high)] },
        },
        series: [
          {
            label: 'UTC',
            value: (_plot, seconds: number | null) =>
              seconds === null ? 'newest' : absolute(seconds * 1000),
          },
          ...Object.entries(series).map(
            ([label, values], n): uPlot.Series => ({
              label,
              stroke: LINES[scheme][n % 6] ?? ink,
              dash: DASHES[n % 6] ?? [],
              width: 2,
              points: { size: 6, filter: () => alone(values) },
              value: (_plot, _value, _n, at) => figureAt(values, at, scale),
            }),
          ),
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
  }, [at, series, scale, scheme]);
  return <div ref={box} className="chart" role="img" aria-label={title} />;
}
