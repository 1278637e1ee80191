import { useMemo } from 'react';
import { Section } from '../../parts/Section.js';
import { TimeChart } from '../../parts/TimeChart.js';
import { useLagSamples } from './lag-samples.js';

/** How far behind the copies were while the dashboard was open. */
export function LagChart() {
  const samples = useLagSamples();
  const at = useMemo(() => samples.map((it) => it.at), [samples]);
  const series = useMemo(() => {
    const names = new Set(samples.flatMap(({ lags }) => Object.keys(lags)));
    return Object.fromEntries(
      [...names].map((name) => [name, samples.map((it) => it.lags[name] ?? 0)]),
    );
  }, [samples]);
  return (
    <Section title="Lag in seconds, since you opened the dashboard">
      {samples.length < 2 ? (
        <p className="dim tight">
          The line begins with the second figure, in half a minute at most.
        </p>
      ) : (
        <TimeChart title="Lag by board" at={at} series={series} />
      )}
    </Section>
  );
}
